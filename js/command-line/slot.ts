import { assertSameSlot, CrossSlotError, keySlots } from '../index.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { KEY_OPTIONS, KEYS_FROM } from './help.js';
import { keyMember, printable, shownKey, type TextOrBytes } from './key-text.js';
import { keysOf, notationOf, typedKeys } from './keys.js';
import type { Output } from './output.js';

export const slot: Command = {
  name: 'slot',
  summary: 'the hash slot of each key',
  help: `redslot-wasm slot [key...]

Prints the hash slot of each key, a tab and the key.
${KEYS_FROM}

  --same      print only the slot that all keys are in; where they are in several, print which
              keys are where, and end with 1; keeps all keys in memory
${KEY_OPTIONS}
  --json      per line {"key":"foo","slot":12182}; with --same {"slots":[12182]}, the different
              slots in the order of the keys`,
  options: ['same', 'hex', 'escapes', 'json'],
  async run({ options, words }, output) {
    const batches = keysOf(typedKeys(words), notationOf(options));
    if (options.same) return await same(batches, output);
    for await (const keys of batches) await output.write(itemsOf(keys));
    return ExitCode.fine;
  },
};

function itemsOf(keys: readonly TextOrBytes[]) {
  const slots = keySlots(keys);
  return keys.map((key, at) => ({
    text: () => `${slots[at]}\t${shownKey(key)}`,
    json: () => ({ ...keyMember(key), slot: slots[at] }),
  }));
}

async function same(
  batches: AsyncIterable<readonly TextOrBytes[]>,
  output: Output,
): Promise<ExitCode> {
  const all: TextOrBytes[] = [];
  for await (const keys of batches) for (const key of keys) all.push(key);
  try {
    const only = assertSameSlot(all);
    const slots = only === null ? [] : [only];
    await output.write([{ text: () => String(only ?? 'no keys'), json: () => ({ slots }) }]);
    return ExitCode.fine;
  } catch (error) {
    if (!(error instanceof CrossSlotError)) throw error;
    const slots = [...new Set(error.keys.map((key) => key.slot))];
    await output.write([{ text: () => printable(error.message), json: () => ({ slots }) }]);
    return ExitCode.found;
  }
}
