import { type Primary, SlotMap, TopologyError } from '../index.js';
import { askCluster } from './cluster.js';
import { Failure } from './failure.js';
import { printable } from './key-text.js';
import type { Options } from './options.js';
import { STDIN, sourceName, textOf } from './source.js';

/** The topology that the options name: of a live cluster, of a file, else of standard input. */
export async function topologyOf(options: Options): Promise<SlotMap> {
  const { cluster, topology } = options;
  if (cluster !== undefined) return await askCluster(cluster, options);
  const path = topology ?? STDIN;
  const pasted = await textOf(path);
  try {
    return SlotMap.parse(pasted);
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error;
    throw new Failure(`${sourceName(path)} is no topology: ${error.message}`);
  }
}

/** Whether the options have the topology read from standard input. */
export function readsStdin({ cluster, topology }: Options): boolean {
  return cluster === undefined && (topology ?? STDIN) === STDIN;
}

/** Checks what can be checked before anything is read. */
export function checkTopologyOptions({ cluster, topology, user, tls }: Options): void {
  if (cluster !== undefined && topology !== undefined) {
    throw new Failure('--cluster and --topology exclude each other.');
  }
  if (cluster === undefined && (user !== undefined || tls)) {
    throw new Failure('--user and --tls are for --cluster.');
  }
}

/** What to call a primary: its endpoint, else its id. */
export function nameOf({ endpoint, id, port }: Primary): string {
  return printable(endpoint ?? id ?? `:${port}`);
}
