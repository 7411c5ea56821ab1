/**
 * Pipelines, multi-key calls, bulk loading and scanning over all nodes of an ioredis `Cluster`.
 *
 * @packageDocumentation
 * @module redslot-wasm/ioredis
 */

import type { SlotMap } from '../index.js';
import { Batch } from './batch.js';
import { asClusterClient, type ClusterClient, type ClusterLike } from './client.js';
import { CommandKeys } from './command-keys.js';
import { Connections } from './connection.js';
import type { Context } from './context.js';
import { explain, type PipelineExplanation } from './explain.js';
import { install } from './install.js';
import { type LoadItem, type LoadOptions, type LoadSummary, load } from './load.js';
import { type MultiKey, multiKey, type Sender } from './multi-key.js';
import { type BatchOptions, type RedslotOptions, settings } from './options.js';
import { maker, recorder } from './recorder.js';
import { Scan, type ScanOptions } from './scan.js';
import { Topology } from './topology.js';

export type { ClientKey, ClientValue } from './argument.js';
export type { ClusterLike } from './client.js';
export type { BatchMessage, RedirectMessage, RefreshMessage } from './diagnostics.js';
export type { Hop, Reordered } from './entry.js';
export { RedslotError, type RedslotErrorCode, type RedslotErrorDetails } from './error.js';
export type { PipelineExplanation } from './explain.js';
export {
  LoadError,
  type LoadFailure,
  type LoadItem,
  type LoadOptions,
  type LoadProgress,
  type LoadSummary,
  type NodeLoad,
} from './load.js';
export type { Entries, MgetOptions, MsetOptions, MultiKey } from './multi-key.js';
export type { BatchOptions, RedslotOptions, Resend } from './options.js';
export { type KeyFailure, PartialError } from './partial.js';
export type { ScanOptions } from './scan.js';

/** What `redslot(cluster)` gives; pipelines have the type of the cluster's own. */
export interface Redslot<C extends ClusterLike> extends MultiKey {
  /**
   * A pipeline of the same type as `cluster.pipeline()` that takes any mix of
   * keys. `exec()` sends each command to the primary that owns its slot, all
   * primaries at once, and resolves to `[error, result]` per command in call
   * order. Commands on one slot keep their order; those on different slots have
   * none. It rejects only when nothing was sent.
   *
   * What MOVED, ASK and TRYAGAIN mean is that of the sections "Redirection and resharding" and
   * "Multiple keys operations" of the cluster specification,
   * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
   *
   * @param commands commands in the array form, such as `[['get', 'a']]`
   * @param options for this batch alone
   * @throws TypeError for a command in the array form that is no array with a name; of `exec()`, as
   * a rejection, a {@link RedslotError} with the code CLOSED, TOPOLOGY or ABORTED
   */
  pipeline(commands?: unknown[][], options?: BatchOptions): ReturnType<C['pipeline']>;
  /**
   * Writes what a source gives: key-value pairs by SET, or whole commands. The
   * source is read only as fast as the cluster takes it, so memory stays bounded
   * whatever its size; items on one slot keep their order. Resolves to a summary
   * in which failures have their positions.
   *
   * @throws LoadError (as a rejection) when it was aborted or the source failed; a TypeError for an
   * option out of range
   */
  load(
    source: Iterable<LoadItem> | AsyncIterable<LoadItem>,
    options?: LoadOptions,
  ): Promise<LoadSummary>;
  /**
   * The keys of the whole cluster as they are on the wire, prefix included: one
   * SCAN after the other over the primaries. A key that is there all the time is
   * given, also when its slot moves or its primary fails over meanwhile; one that
   * comes or goes may be. Rejects at its end with UNOWNED where slots have no
   * primary, after all other keys.
   *
   * @throws TypeError for an option out of range, at the first key
   * @throws RedslotError (as a rejection) with the code UNOWNED, UNREACHABLE or ABORTED
   */
  scan(options: ScanOptions & { buffer: true }): AsyncGenerator<Buffer>;
  /** The same, with keys as text. */
  scan(options?: ScanOptions & { buffer?: false }): AsyncGenerator<string>;
  /**
   * The topology as the cluster tells it, before natMap; from a cache where that is current, else
   * by one CLUSTER SLOTS.
   *
   * @throws RedslotError (as a rejection) with the code CLOSED or TOPOLOGY
   */
  slotMap(): Promise<SlotMap>;
  /**
   * What `pipeline(commands).exec()` would do, without sending anything: per
   * command its wire keys with slot and tag, its node, or why it is refused. It
   * reads the topology as {@link Redslot.slotMap} does.
   *
   * @throws RedslotError (as a rejection) with the code CLOSED or TOPOLOGY
   */
  explain(commands: unknown[][]): Promise<PipelineExplanation[]>;
  /**
   * Puts `pipeline`, `mget`, `mset`, `del`, `unlink`, `exists` and `touch` on the
   * cluster object itself, with ioredis' own signatures, so that code written
   * against it takes any mix of keys. `multi` and all else stay as they are. Gives
   * a function that restores the object; a second install changes nothing.
   */
  install(): () => void;
}

interface Shared extends Pick<Context, 'connections' | 'topology'> {
  /** The names of the commands that ioredis knows. */
  readonly known: ReadonlySet<string>;
}

/** One topology and one set of listeners per cluster object, however often it is wrapped. */
const shared = new WeakMap<ClusterClient, Shared>();

/**
 * Wraps a Cluster of ioredis 5, ioredis 6 or iovalkey. Cheap, and free to call per request:
 * nothing is sent, and wrappers of one cluster share its topology.
 *
 * @throws TypeError when `cluster` is no such Cluster, or for an option out of range
 */
export function redslot<C extends ClusterLike>(
  cluster: C,
  options: RedslotOptions = {},
): Redslot<C> {
  const client = asClusterClient(cluster);
  const chosen = settings(options);
  const { connections, known, topology } = sharedBy(client);
  const keys = new CommandKeys(client, known, chosen.keysOf);
  const context: Context = { client, connections, keys, settings: chosen, topology };
  const contextFor = (own?: BatchOptions): Context =>
    own ? { ...context, settings: settings({ ...options, ...given(own) }) } : context;
  const pipeline = (commands?: readonly unknown[][], own?: BatchOptions) => {
    const batch = contextFor(own);
    return recorder(client, keys, (queue) => new Batch(batch, queue).run(), commands);
  };
  const sender: Sender = {
    make: maker(client, keys),
    send: async (commands, own) => new Batch(contextFor(own), commands).run(),
  };
  return {
    ...multiKey(sender),
    pipeline: pipeline as never,
    scan: ((own: ScanOptions = {}) => keysOf(new Scan(context, own), own)) as never,
    load: async (source, own) => load(context, options, source, own),
    install: () => install(client, pipeline),
    slotMap: () => context.topology.newest(chosen.topologyTimeout),
    explain: (commands) => explain(context, commands),
  };
}

async function* keysOf(scan: Scan, { buffer }: ScanOptions): AsyncGenerator<string | Buffer> {
  for await (const page of scan.pages()) yield* buffer ? page : page.map(String);
}

/** The options that are set: an undefined one leaves what was chosen for all batches. */
function given(options: BatchOptions): BatchOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function sharedBy(client: ClusterClient): Shared {
  const before = shared.get(client);
  if (before) return before;
  warnOfResends(client);
  const connections = new Connections(client);
  const known = new Set(client.getBuiltinCommands());
  const fresh = { connections, known, topology: new Topology(client, connections) };
  shared.set(client, fresh);
  return fresh;
}

/**
 * A node connection that reconnects sends again what was outstanding, unless told
 * not to, and nothing outside ioredis can prevent that.
 */
function warnOfResends({ options }: ClusterClient): void {
  const reconnects = typeof options.clusterNodeRetryStrategy === 'function';
  if (!reconnects || options.redisOptions?.autoResendUnfulfilledCommands === false) return;
  process.emitWarning(
    'With clusterNodeRetryStrategy, ioredis sends commands again after a reconnect, so a write ' +
      'may run twice. Set redisOptions.autoResendUnfulfilledCommands to false to prevent that.',
    { type: 'RedslotWarning', code: 'REDSLOT_RESEND' },
  );
}
