import { explainKey } from '../index.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { KEY_OPTIONS, KEYS_FROM } from './help.js';
import { keyMember, shownKey, type TextOrBytes } from './key-text.js';
import { keysOf, notationOf, typedKeys } from './keys.js';

export const explain: Command = {
  name: 'explain',
  summary: 'which bytes of a key are hashed, and why',
  help: `redslot-wasm explain [key...]

Prints the hash slot of each key, the part of it that is hashed, and why.
${KEYS_FROM}

${KEY_OPTIONS}
  --json      per line {"key":"{a}b","slot":15495,"hashed":"a","tag":{"start":1,"end":2},
              "braces":{"open":0,"close":2},"reason":"..."}; positions in bytes from 0, "end"
              exclusive, null where there is none; "hashed" is hexadecimal beside "hex"`,
  options: ['hex', 'escapes', 'json'],
  async run({ options, words }, output) {
    for await (const keys of keysOf(typedKeys(words), notationOf(options))) {
      await output.write(keys.map(itemOf));
    }
    return ExitCode.fine;
  },
};

function itemOf(key: TextOrBytes) {
  const { slot, hashed: part, tag, braces, reason } = explainKey<string | Uint8Array>(key);
  const hashed = typeof part === 'string' ? part : Buffer.from(part);
  return {
    text: () =>
      `${shownKey(key)}\n  slot    ${slot}\n  hashed  ${shownKey(hashed)}\n  why     ${reason}`,
    json: () => {
      const shown = typeof hashed === 'string' ? hashed : hashed.toString('hex');
      return { ...keyMember(key), slot, hashed: shown, tag, braces, reason };
    },
  };
}
