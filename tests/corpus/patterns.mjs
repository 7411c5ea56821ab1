/** The patterns that `record.mjs` asks a server about. */
import { readFileSync } from 'node:fs';
import { joined, words } from './keys.mjs';

/** Tags of text, of bytes that are no UTF-8, and of characters that mean something in a glob. */
const TAGS = [
  'a',
  'é',
  '한',
  '💀',
  Buffer.of(0xff),
  Buffer.of(0xe3, 0x81),
  '\0',
  ' ',
  ']',
  '^',
  '-',
];

const SPECIALS = [
  '*',
  '?',
  '[',
  ']',
  '[b]',
  '[^b]',
  '[a-z]',
  '[}]',
  '[{]',
  '[\\]]',
  '[]',
  '[b',
  '\\',
  '\\*',
  '\\?',
  '\\[',
  '\\{',
  '\\}',
  '\\\\',
  '\\a',
  '**',
  '?*',
];

/** @returns {Generator<string | Buffer>} */
export function* patterns() {
  yield* JSON.parse(readFileSync(new URL('chosen.json', import.meta.url), 'utf8')).patterns;
  yield* words(['{', '}', '*', '\\', '[', '?', 'a'], 3);
  yield* words(['{', '}', '*', '\\', 'a'], 4);
  for (const tag of TAGS) yield* withTag(tag);
  for (const special of SPECIALS) yield* withSpecial(special);
  for (const byte of [0x80, 0xc3, 0xff]) {
    yield joined(byte, '*');
    yield joined('{', byte, '*}');
    yield joined('{}', byte, '?');
    yield joined(byte, '{', byte, '}', byte);
  }
}

/**
 * @param {string | Buffer} tag
 * @returns {Generator<Buffer>}
 */
function* withTag(tag) {
  yield joined(tag);
  yield joined('{', tag, '}');
  yield joined('{', tag);
  yield joined(tag, '}*');
  for (const special of ['*', '?', '[b]', '\\*', '\\}']) {
    yield joined('{', tag, '}', special);
    yield joined(tag, '{', tag, '}', special);
    yield joined('{', tag, special, '}');
    yield joined('{', tag, special);
    yield joined(special, '{', tag, '}');
    yield joined('{}', special, '{', tag, '}');
    yield joined('{}{', tag, '}', special);
  }
}

/** @param {string} special */
function* withSpecial(special) {
  yield special;
  yield `{user:7}${special}`;
  yield `x{b}y${special}z`;
  yield `${special}{b}`;
  yield `{${special}}`;
  yield `{b${special}b}`;
  yield `{b}{${special}}`;
  yield `{b${special}`;
  yield `{}${special}`;
  yield `{{b}${special}`;
  yield `}{b}${special}`;
}
