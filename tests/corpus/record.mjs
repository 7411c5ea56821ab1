/**
 * Records `keys.json` and `patterns.json` from real servers, so that no expected value comes from
 * the code under test.
 *
 *   node tests/corpus/record.mjs <server for CLUSTER KEYSLOT> <Redis 8 or Valkey 8 server>
 *
 * A key's slot is what CLUSTER KEYSLOT answers. A pattern's slot is the one slot whose keys may be
 * sorted by it: in a cluster, `SORT key GET pattern` is denied unless the server infers from the
 * pattern the slot that the key is in.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeServer } from '../../scripts/server.mjs';
import { startCluster } from '../cluster/support/cluster.mjs';

/** @typedef {import('ioredis').Redis} Redis */
/** @typedef {import('../cluster/support/node.mjs').ClusterNode} ClusterNode */

const FIELD = {
  'cluster specification': [
    '{user1000}.following', '{user1000}.followers', 'foo{}{bar}', 'foo{{bar}}zap', 'foo{bar}{zap}',
    '123456789',
  ],
  'empty tag (redis/ioredis PR#2172)': [
    'a{}b}c', '{}a}b', 'x{}}y', '{}{a}', 'тест{}ы}z', 'user:{}:1', '{}', '{}x', 'x{}', '{}{}', '{}}{a}',
    '{}foo', '{}:{a}:1',
  ],
  'brace mistakes': [
    'A}B{C', '}{', '{', '}', '{{', '{{}}', '{{x}}', 'foo{{bar}}zap', '}a{b}', '{a', 'a}', '{a}', 'a', 'b',
    '{a}{b}', 'a{b', '}}{{', '{}}', '{{}', 'x{y}z{w}', '{{{a}}}', '{a}}', 'a{b}c}d',
  ],
  'redis/redis#6027': ["a{'1':{'i32':1}}", "{'1':{'i32':1}}", "'1':{'i32':1"],
  'beyond ASCII': [
    '💀', '{💀}a', '🍣:1', '한글', '{한글}x', '키', '中文:{用户}:1', 'é', 'e\u0301', 'ß', '😀{😀}', '{é}', '\ufeffa',
    '👩‍👩‍👧‍👦', 'ключ:{тег}:1', '日本語', '\u0000', '\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{10ffff}',
  ],
  'tags by accident': [
    '{bla{}one}', '{bla{}two}', 'bla{}one', 'bla{}two', '{n8n:cache:}k', '{n8n:cache}:k',
    'cache:{"a":{}}', 'cache:{"a":{}}:2', 'fn:function(x) { return x; }',
  ],
  'odd but legal': ['', ' a', 'a ', '\n', '{\0}x', '{ }', '   ', '\r\n', '\t', '{\n}', '123', '0', '-1',
    '1e+21', '1000000000000000000000', 'null', 'undefined',
  ],
  'everyday keys': [
    'foo', 'bar', 'hello', 'aa', 'cc', 'p:foo', '{p}:foo', '{p:}foo', '{abc}', '42', '{42}', '42703',
    'user:{42}:name', '{a}:wait', '{b}:wait', 'session:0f8fad5b-d9cd-469f-a165-70867728950e',
    'bull:{mail}:wait', 'cache:v1:product:18446744073709551615', 'key:000000000001',
    'h1', 'c', 'd', 'k1', 'k2', 'k3', '{aa}x', 'z{}}w', '{mig}a', '{mig}b',
  ],
};

const BYTES = {
  'not UTF-8': [
    '80', 'ff', '7bff7d01', '00', 'eda0bd', 'c0af', 'f4908080', '7b807d', '807b817d82', 'fffe', '0000',
  ],
  'Java serialised (redis/ioredis#1602)': [
    'aced000574000a34313030303030323532', 'aced000574000a34313030303030323535',
  ],
  'GBK, braces as second bytes (jedis#4685)': ['817b41817d', '817d', '7b817d7d'],
};

const PATTERNS = [
  '{abc}*', '*{abc}', '{a*c}', '{a\\*bc}', 'foo', '{a}*', '{a}h*llo', 'a{b}*', '{a*}', '*{a}', 'user:{42}:*',
  '', '*', '?', '[a]', '\\', '{}*', '{}{a}*', '{}', '{}{a}', 'foo{}{bar}', 'foo{{bar}}*', '{{a}*', '{a}{b*}',
  '{a}?', '{a}[bc]', '{a}\\*', '?{a}', '[a]{a}', '\\{a}', '{a?}', '{a[b]}', '{[}]}', '}{a}*', '}a{b}*', 'a}*',
  '{a', '{a*', 'a{', 'user:42', '{한글}*', '한글', '💀{💀}*', '{a b}*', '{ }*', '{\u0000}*', 'h?llo', 'h^llo', '{^a}*',
  '{a-z}*', '{a]}*', '*}', '*{', 'x{}*', 'x{}y', '{n8n:cache}:*',
];

/** Lengths around the strides of the checksum and the brace search. */
function lengths() {
  const keys = [];
  for (const length of [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 1000]) {
    const run = Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join('');
    keys.push(run, `{${run}}`, `${run}{t}`, `${run}{${run}}${run}`);
  }
  return keys;
}

/**
 * Every string of up to four of these characters.
 * @param {string[]} letters
 */
function shortWords(letters) {
  let words = [''];
  /** @type {string[]} */
  const all = [];
  for (let length = 1; length <= 4; length++) {
    words = words.flatMap((word) => letters.map((letter) => word + letter));
    all.push(...words);
  }
  return all;
}

/**
 * @template T
 * @param {string | undefined} binary
 * @param {(redis: Redis, server: string) => Promise<T>} work
 */
async function withServer(binary, work) {
  if (!binary) throw new Error('two servers are needed, see above');
  const cluster = await startCluster({ primaries: 1, server: resolve(binary) });
  try {
    const [node] = /** @type {[ClusterNode]} */ (cluster.nodes);
    return await work(node.control, describeServer(resolve(binary)).version);
  } finally {
    await cluster.stop();
  }
}

/**
 * @param {Redis} redis
 * @param {string} server
 */
async function recordKeys(redis, server) {
  const rows = new Map();
  /** @type {(key: string | Buffer, origin: string) => Promise<void>} */
  const add = async (key, origin) => {
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    const id = bytes.toString('hex');
    if (rows.has(id)) return;
    const slot = await redis.cluster('KEYSLOT', bytes);
    const what = typeof key === 'string' ? { key } : { hex: id };
    rows.set(id, { ...what, slot, origin: `CLUSTER KEYSLOT, ${server}; ${origin}` });
  };
  for (const [origin, keys] of Object.entries(FIELD)) for (const key of keys) await add(key, origin);
  for (const [origin, keys] of Object.entries(BYTES))
    for (const key of keys) await add(Buffer.from(key, 'hex'), origin);
  for (const key of lengths()) await add(key, 'lengths');
  for (const key of shortWords(['{', '}', 'a'])) await add(key, 'short words of braces');
  return [...rows.values()];
}

/**
 * @param {Redis} redis
 * @param {string} server
 */
async function recordPatterns(redis, server) {
  const keys = await keyPerSlot(redis);
  const rows = [];
  for (const pattern of PATTERNS) {
    const asked = redis.pipeline();
    for (const key of keys) asked.call('SORT', key, 'GET', pattern);
    const replies = (await asked.exec()) ?? [];
    const allowed = replies.flatMap(([error], slot) => (error === null ? [slot] : []));
    if (allowed.length > 1) throw new Error(`${pattern}: allowed on ${allowed.length} slots`);
    const origin = `the slot on which SORT ... GET is allowed, ${server}`;
    rows.push({ pattern, slot: allowed[0] ?? null, origin });
  }
  return rows;
}

/** @param {Redis} redis */
async function keyPerSlot(redis) {
  const keys = new Array(16384).fill(null);
  for (let word = 0; keys.includes(null); word += 20000) {
    const words = Array.from({ length: 20000 }, (_, at) => `w${word + at}`);
    const asked = redis.pipeline();
    for (const candidate of words) asked.cluster('KEYSLOT', candidate);
    for (const [at, [, slot]] of ((await asked.exec()) ?? []).entries()) keys[Number(slot)] ??= words[at];
  }
  return keys;
}

const [keyServer, patternServer] = process.argv.slice(2);
/** @type {(name: string, rows: object[]) => void} */
const write = (name, rows) => {
  const lines = rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
  writeFileSync(new URL(name, import.meta.url), `[\n${lines}\n]\n`);
  console.log(`${name}: ${rows.length}`);
};
write('keys.json', await withServer(keyServer, recordKeys));
write('patterns.json', await withServer(patternServer, recordPatterns));
