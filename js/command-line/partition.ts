import { keySlots, type SlotMap } from '../index.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { Failure } from './failure.js';
import { EXIT_CODES, KEY_OPTIONS, TOPOLOGY_OPTIONS } from './help.js';
import { keyMember, shownKey, type TextOrBytes } from './key-text.js';
import { type KeySource, keysOf, notationOf, typedKeys } from './keys.js';
import type { Arguments } from './options.js';
import { STDIN } from './source.js';
import { checkTopologyOptions, nameOf, readsStdin, topologyOf } from './topology.js';

export const partition: Command = {
  name: 'partition',
  summary: 'the primary that serves each key',
  help: `redslot-wasm partition [key...]

Prints the primary that serves each key, a tab, the hash slot, a tab and the key. Where a slot is
in a gap or a conflict, "-" stands for the primary, and the command ends with 1.
Keys are arguments, or the lines of a file or of standard input; empty lines are left out.

${TOPOLOGY_OPTIONS}
              without --topology and --cluster the topology is read from standard input
  --keys FILE a key per line, instead of standard input; "-" for standard input
${KEY_OPTIONS}
  --json      per line {"key":"foo","slot":12182,"node":{"id":"...","endpoint":"host:port"}},
              "node" null without one primary

${EXIT_CODES}`,
  options: ['keys', 'topology', 'cluster', 'user', 'tls', 'hex', 'escapes', 'json'],
  async run(args, output) {
    const { options } = args;
    const batches = keysOf(sourceOf(args), notationOf(options));
    const map = await topologyOf(options);
    let unowned = 0;
    for await (const keys of batches) {
      const items = itemsOf(map, keys);
      unowned += items.filter((item) => item.node === null).length;
      await output.write(items);
    }
    if (unowned === 0) return ExitCode.fine;
    console.error(`${unowned} of the keys have no primary, or several that claim their slot.`);
    return ExitCode.found;
  },
};

/** Where the keys are, once it is clear that the topology is elsewhere. */
function sourceOf({ options, words }: Arguments): KeySource {
  checkTopologyOptions(options);
  if (options.keys !== undefined && words.length > 0) {
    throw new Failure('Keys are either arguments or in the file of --keys.');
  }
  const source = options.keys === undefined ? typedKeys(words) : { path: options.keys };
  if ('path' in source && source.path === STDIN && readsStdin(options)) {
    throw new Failure(
      'Keys and topology cannot both be read from standard input: name a file with --topology\n' +
        'or --keys, or a cluster with --cluster.',
    );
  }
  return source;
}

function itemsOf(map: SlotMap, keys: readonly TextOrBytes[]) {
  const slots = keySlots(keys);
  return keys.map((key, at) => {
    const slot = slots[at] as number;
    const owner = map.ownerOf(slot);
    const node = owner && { id: owner.id, endpoint: owner.endpoint };
    return {
      node,
      text: () => `${owner ? nameOf(owner) : '-'}\t${slot}\t${shownKey(key)}`,
      json: () => ({ ...keyMember(key), slot, node }),
    };
  });
}
