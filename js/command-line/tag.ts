import { slotTag } from '../index.js';
import { SLOT_COUNT } from '../slot-count.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { Failure } from './failure.js';
import type { TextOrBytes } from './key-text.js';
import { readEach, typedKeys } from './keys.js';

export const tag: Command = {
  name: 'tag',
  summary: 'a shortest hash tag on each slot',
  help: `redslot-wasm tag [slot...]

Prints each slot, a tab and a shortest hash tag on it, without its braces: a key that begins with
the tag in braces is in the slot.
Slots are arguments, or without any the lines of standard input; empty lines are left out.

  --json      per line {"slot":12182,"tag":"..."}`,
  options: ['json'],
  async run({ words }, output) {
    for await (const slots of readEach(typedKeys(words), slotOf)) {
      await output.write(slots.map(itemOf));
    }
    return ExitCode.fine;
  },
};

function itemOf(slot: number) {
  const name = slotTag(slot);
  return { text: () => `${slot}\t${name}`, json: () => ({ slot, tag: name }) };
}

function slotOf(written: TextOrBytes, place: string): number {
  const slot = Number(written);
  if (/^\d+$/.test(String(written)) && slot < SLOT_COUNT) return slot;
  throw new Failure(`${place} is not a hash slot (0 to ${SLOT_COUNT - 1}).`);
}
