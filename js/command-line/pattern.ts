import { patternSlot } from '../index.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { KEY_OPTIONS } from './help.js';
import { keyMember, shownKey, type TextOrBytes } from './key-text.js';
import { keysOf, notationOf, typedKeys } from './keys.js';

export const pattern: Command = {
  name: 'pattern',
  summary: 'the only slot that a match of a pattern can be in',
  help: `redslot-wasm pattern [pattern...]

Prints for each glob pattern, as of SCAN and KEYS, the only slot in which a match can be, or
"all" where matches may be in any, then a tab and the pattern. A closed, not empty hash tag has to
come before the first * ? [ or \\ for a pattern to have one slot.
Patterns are arguments, or without any the lines of standard input; empty lines are left out.

${KEY_OPTIONS}
  --json      per line {"key":"{a}*","slot":15495}, "slot" null for all`,
  options: ['hex', 'escapes', 'json'],
  async run({ options, words }, output) {
    for await (const patterns of keysOf(typedKeys(words), notationOf(options))) {
      await output.write(patterns.map(itemOf));
    }
    return ExitCode.fine;
  },
};

function itemOf(glob: TextOrBytes) {
  const slot = patternSlot(glob);
  return {
    text: () => `${slot ?? 'all'}\t${shownKey(glob)}`,
    json: () => ({ ...keyMember(glob), slot }),
  };
}
