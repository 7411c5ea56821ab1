/**
 * The keys that `record.mjs` asks a server about. They are the same in every run: what is drawn at
 * random is read from one stretch of SHAKE-256.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ before?: string, repeat: string, times: number, after?: string }} Long `repeat` so
 *   many times, between two strings
 * @typedef {string | Buffer | Long} CorpusKey
 * @typedef {[origin: string, key: CorpusKey]} Wanted
 */

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** One of each class that the Unicode standard, table 3-7, calls ill-formed. */
const ILL_FORMED = {
  'continuation alone': ['80', 'bf', '8080'],
  'lead alone': ['c2', 'df', 'e0', 'e1', 'ed', 'ef', 'f0', 'f1', 'f4'],
  overlong: ['c080', 'c0af', 'c1bf', 'e08080', 'e09fbf', 'f0808080', 'f08fbfbf'],
  'overlong brace': ['c1bb', 'c1bd', 'e081bb', 'e081bd', 'f08081bb', 'f08081bd'],
  surrogate: ['eda080', 'edafbf', 'edb080', 'edbfbf', 'eda0bdedb280'],
  'beyond U+10FFFF': ['f4908080', 'f5808080', 'f7bfbfbf', 'f888808080', 'fc8480808080'],
  'never in UTF-8': ['c0', 'c1', 'f5', 'fe', 'ff', 'fffe', 'feff'],
  'cut short': ['e382', 'f09f', 'f09f92', 'e382e3', 'f09fc3', 'c3c3a9'],
};

const WIDE = [
  'é',
  'e\u0301',
  'ß',
  'ﬁ',
  'İ',
  'ı',
  'Ω',
  'я',
  'ы',
  'א',
  '\u05e9\u05c1',
  'ع',
  'ไ',
  'क्ष',
  '한',
  '\u1112\u1161\u11ab',
  '글',
  '日',
  '本',
  '中',
  '𠮷',
  '𝄞',
  '💀',
  '👩‍👩‍👧‍👦',
  '🇰🇷',
  '❤\ufe0f',
  '\u0080',
  '\u07ff',
  '\u0800',
  '\u2028',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
  '\u{1fffe}',
  '｛',
  '｝',
  '﹛',
  '⦃',
];

/** @param {(string | number | Buffer)[]} parts a number is one byte */
export function joined(...parts) {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))),
  );
}

/**
 * Every string of up to `longest` of these symbols.
 * @param {string[]} symbols
 * @param {number} longest
 */
export function words(symbols, longest) {
  let last = [''];
  const all = [''];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((word) => symbols.map((symbol) => word + symbol));
    all.push(...last);
  }
  return all;
}

/** @returns {Generator<Wanted>} */
export function* keys() {
  yield* chosen();
  yield* shortWords();
  for (let byte = 0; byte < 256; byte++) yield* around('every byte', Buffer.of(byte));
  for (const [what, sequences] of Object.entries(ILL_FORMED))
    for (const hex of sequences) yield* cut(`ill-formed UTF-8: ${what}`, Buffer.from(hex, 'hex'));
  for (const text of WIDE) yield* cut('wide characters', Buffer.from(text));
  for (const text of surrogates()) yield ['lone surrogates as sent', text];
  yield* doubleBytes();
  yield* lengths();
  yield* long();
  yield* drawn();
}

/** Keys of the specification, of bug reports and of everyday use. */
function* chosen() {
  const { keys, hexKeys } = JSON.parse(
    readFileSync(new URL('chosen.json', import.meta.url), 'utf8'),
  );
  for (const [origin, list] of Object.entries(keys))
    for (const key of list) yield/** @type {Wanted} */ ([origin, key]);
  for (const [origin, list] of Object.entries(hexKeys))
    for (const hex of list) yield/** @type {Wanted} */ ([origin, Buffer.from(hex, 'hex')]);
}

/** @returns {Generator<Wanted>} */
function* shortWords() {
  const all = [
    ...words(['{', '}', 'a'], 6),
    ...words(['{', '}', 'a', 'b'], 4),
    ...words(['{', '}', 'é'], 4),
    ...words(['{}', '{a}', '}', '{', '0'], 3),
  ];
  for (const word of all) yield ['short words', word];
  for (const word of words(['{', '}', '\xff'], 4))
    yield ['short words', Buffer.from(word, 'latin1')];
}

/**
 * @param {string} origin
 * @param {Buffer} part
 * @returns {Generator<Wanted>}
 */
function* around(origin, part) {
  yield [origin, part];
  yield [origin, joined('{', part, '}')];
  yield [origin, joined('x{', part, '}', part)];
  yield [origin, joined('{', part)];
  yield [origin, joined(part, '}')];
  yield [origin, joined(part, '{a}')];
  yield [origin, joined('{a', part, '}')];
  yield [origin, joined('{a}', part)];
  yield [origin, joined('{}', part)];
  yield [origin, joined('x}', part, '{', part, 'y}z')];
}

/**
 * The same, and with a brace at every place within the sequence.
 * @param {string} origin
 * @param {Buffer} sequence
 * @returns {Generator<Wanted>}
 */
function* cut(origin, sequence) {
  yield* around(origin, sequence);
  for (let at = 1; at < sequence.length; at++) {
    const [head, tail] = [sequence.subarray(0, at), sequence.subarray(at)];
    yield [origin, joined(head, '{', tail, '}')];
    yield [origin, joined('{', head, '}', tail)];
    yield [origin, joined(head, '{}', tail)];
    yield [origin, head];
    yield [origin, joined('{', tail, '}', head)];
  }
}

/** Strings with halves of pairs on either side of a brace. Some of the halves meet and are whole. */
export function surrogates() {
  const halves = ['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d\ud83d', '\udc80\ud83d'];
  return [
    ...words(['\ud83d', '\udc80', '{', '}'], 4).filter((word) => /[\ud800-\udfff]/.test(word)),
    ...halves.flatMap((half) => [
      half,
      `{${half}}`,
      `x{${half}`,
      `${half}{a}`,
      `{a}${half}`,
      `{}${half}`,
      `{a${half}}b`,
      `한${half}{é}`,
      `${'x'.repeat(15)}${half}`,
      `${'x'.repeat(16)}{${half}}`,
      `${half}${'x'.repeat(40)}`,
    ]),
  ];
}

/**
 * Characters of GBK, Big5 and Shift_JIS whose second byte equals a brace. Their first bytes are
 * 81 to FE, those of Shift_JIS some of them.
 * @returns {Generator<Wanted>}
 */
function* doubleBytes() {
  const origin = 'GBK, Big5, Shift_JIS';
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    yield [origin, joined(lead, OPEN)];
    yield [origin, joined(lead, OPEN, 'A}')];
    yield [origin, joined('{', lead, CLOSE, '}')];
    yield [origin, joined(lead, OPEN, lead, CLOSE)];
    yield [origin, joined(lead, CLOSE, '{', lead, 0x41, '}')];
  }
}

/** @param {number} length */
function run(length) {
  return Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join('');
}

/**
 * Lengths and places of braces around the blocks by which a checksum or a search may proceed.
 * @returns {Generator<Wanted>}
 */
function* lengths() {
  for (const length of [...Array(141).keys(), 255, 256, 257, 1000]) {
    yield ['lengths', run(length)];
    yield ['lengths', `{${run(length)}}`];
  }
  for (const before of [0, 1, 6, 7, 8, 9, 14, 15, 16, 17, 23, 24, 31, 32]) {
    for (const within of [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48]) {
      for (const after of ['', 'z', '}{abcdefgh}'])
        yield ['places of braces', `${run(before)}{${run(within)}}${after}`];
    }
  }
}

/** @returns {Generator<Wanted>} */
function* long() {
  for (const size of [4096, 65_536, 524_288]) {
    for (const repeat of ['x', '0123456789abcde', 'é', '💀']) {
      const times = Math.ceil(size / Buffer.byteLength(repeat));
      yield ['long', { repeat, times }];
      yield ['long', { before: 'x{', repeat, times: times - 1, after: '}y' }];
      yield ['long', { repeat, times, after: '{a}' }];
      yield ['long', { before: '{a', repeat, times: times - 1 }];
      yield ['long', { before: '{}', repeat, times, after: '{a}' }];
    }
  }
}

/** Digits that look random and are always the same. */
function numbers() {
  const size = 1 << 18;
  const bytes = createHash('shake256', { outputLength: size }).update('redslot corpus').digest();
  let at = 0;
  return (/** @type {number} */ below) => {
    at += 2;
    return bytes.readUInt16LE((at - 2) % size) % below;
  };
}

/**
 * Braces often, so that tags of every shape occur, among characters or among bytes.
 * @returns {Generator<Wanted>}
 */
function* drawn() {
  const next = numbers();
  const symbols = ['{', '}', '{', '}', 'a', 'b', '0', ':', ' ', '\0', '\n', 'é', '한', '💀'];
  for (let i = 0; i < 1000; i++) {
    const length = 3 + next(12);
    yield ['drawn', Array.from({ length }, () => symbols[next(symbols.length)]).join('')];
    const bytes = Buffer.from(Array.from({ length: length + 4 }, () => next(256)));
    for (let braces = next(5); braces > 0; braces--)
      bytes[next(bytes.length)] = next(2) ? OPEN : CLOSE;
    yield ['drawn', bytes];
  }
}

/**
 * Names as applications give them, without end.
 * @returns {Generator<string>}
 */
export function* names() {
  const next = numbers();
  const hex = (/** @type {number} */ digits) =>
    Array.from({ length: digits }, () => next(16).toString(16)).join('');
  for (let n = 1; ; n++) {
    yield `user:${n}`;
    yield `{user:${n}}:cart`;
    yield `session:${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    yield `bull:{q${n}}:wait`;
    yield `cache:/items/${n}?page=${n % 7}`;
    yield `lock:order-${n}`;
    yield `tenant${n % 97}/doc/${n}.json`;
    yield `사용자:{${n}}:장바구니`;
    yield `feed{${n}}`;
    yield `rate:203.0.113.${n % 256}:${n}`;
    yield String(n * 7919);
  }
}
