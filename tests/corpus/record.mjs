/**
 * Records `keys.json`, `surrogates.json` and `patterns.json` from real servers, so that no expected
 * value comes from the code under test. README.md beside it says what the files hold.
 *
 *   node tests/corpus/record.mjs <server for CLUSTER KEYSLOT> <Redis 8 or Valkey 8 server>
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeServer } from '../../scripts/server.mjs';
import { startCluster } from '../cluster/support/cluster.mjs';
import { keys, names, surrogates } from './keys.mjs';
import { patterns } from './patterns.mjs';

/** @typedef {import('ioredis').Redis} Redis */
/** @typedef {import('../cluster/support/node.mjs').ClusterNode} ClusterNode */
/** @typedef {import('./keys.mjs').CorpusKey} CorpusKey */

const SLOTS = 16384;
/** Names that are kept whatever slot they have; of the others one for each slot without a key. */
const NAMES = 2000;
const BATCH = 1000;

/** Which of the keys the server would sort by a pattern, by their positions. */
const SORTABLE = `
  local pattern, allowed = ARGV[1], {}
  for at = 2, #ARGV do
    local reply = redis.pcall('SORT', ARGV[at], 'GET', pattern)
    if not reply.err then
      allowed[#allowed + 1] = at - 2
    elseif not reply.err:find('^ERR GET option of SORT denied') then
      return reply
    end
  end
  return allowed`;

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
 * What CLUSTER KEYSLOT answers.
 * @param {Redis} redis
 * @param {Buffer[]} asked
 */
async function slotsOf(redis, asked) {
  const slots = [];
  for (let at = 0; at < asked.length; at += BATCH) {
    const pipeline = redis.pipeline();
    for (const key of asked.slice(at, at + BATCH)) pipeline.call('CLUSTER', 'KEYSLOT', key);
    for (const [error, slot] of (await pipeline.exec()) ?? []) {
      if (error) throw error;
      slots.push(Number(slot));
    }
  }
  return slots;
}

/** @param {Redis} redis */
async function recordKeys(redis) {
  const rows = new Map();
  for (const [origin, key] of keys()) add(rows, origin, key);
  const taken = names();
  for (let count = 0; count < NAMES; count++) add(rows, 'names', nextOf(taken));
  const wanted = [...rows.values()];
  const slots = await slotsOf(
    redis,
    wanted.map(({ bytes }) => bytes),
  );
  const recorded = wanted.map(({ bytes: _, ...row }, at) => inOrder(row, slots[at]));
  return [...recorded, ...(await oneForEach(missing(slots), taken, redis))];
}

/** @param {number[]} slots */
function missing(slots) {
  const present = new Set(slots);
  return new Set([...Array(SLOTS).keys()].filter((slot) => !present.has(slot)));
}

/**
 * The first of the names in each of these slots.
 * @param {Set<number>} missing
 * @param {Generator<string>} source
 * @param {Redis} redis
 */
async function oneForEach(missing, source, redis) {
  const rows = [];
  while (missing.size > 0) {
    const tried = Array.from({ length: BATCH }, () => nextOf(source));
    const slots = await slotsOf(
      redis,
      tried.map((name) => Buffer.from(name)),
    );
    for (const [at, key] of tried.entries()) {
      const slot = Number(slots[at]);
      if (missing.delete(slot)) rows.push({ key, slot, origin: 'every slot' });
    }
  }
  return rows;
}

/** @param {Generator<string>} source one without end */
function nextOf(source) {
  return /** @type {string} */ (source.next().value);
}

/**
 * @param {Map<string, { bytes: Buffer, origin: string }>} rows by bytes, so that none is there twice
 * @param {string} origin
 * @param {CorpusKey} key
 */
function add(rows, origin, key) {
  const bytes = bytesOf(key);
  const id = bytes.toString('latin1');
  if (!rows.has(id)) rows.set(id, { ...written(key), bytes, origin });
}

/** @param {CorpusKey} key */
function bytesOf(key) {
  if (typeof key === 'string') return Buffer.from(key);
  if (Buffer.isBuffer(key)) return key;
  const { before = '', repeat, times, after = '' } = key;
  return Buffer.from(before + repeat.repeat(times) + after);
}

/**
 * Bytes as text where they are UTF-8.
 * @param {CorpusKey} key
 * @param {string} [name]
 */
function written(key, name = 'key') {
  if (typeof key === 'object' && !Buffer.isBuffer(key)) return key;
  const bytes = Buffer.from(key);
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? { [name]: text } : { hex: bytes.toString('hex') };
}

/**
 * The slot before the origin.
 * @param {{ origin: string }} row
 * @param {number | undefined} slot
 */
function inOrder({ origin, ...row }, slot) {
  return { ...row, slot, origin };
}

/** @param {Redis} redis */
async function recordSurrogates(redis) {
  const strings = [...new Set(surrogates())];
  const bytes = strings.map((text) => Buffer.from(text));
  const slots = await slotsOf(redis, bytes);
  return strings.map((key, at) => ({
    key,
    hex: bytes[at]?.toString('hex'),
    slot: slots[at],
    origin: 'lone surrogates',
  }));
}

/**
 * Asks about every slot, so that a pattern for which one key may be sorted is known to allow no other.
 * @param {Redis} redis
 */
async function recordPatterns(redis) {
  const asked = await keyPerSlot(redis);
  const rows = new Map();
  for (const pattern of patterns()) {
    const id = Buffer.from(pattern).toString('latin1');
    if (rows.has(id)) continue;
    const slots = /** @type {number[]} */ (await redis.eval(SORTABLE, 0, pattern, ...asked));
    if (slots.length > 1) throw new Error(`${id}: allowed on ${slots.length} slots`);
    rows.set(id, { ...written(pattern, 'pattern'), slot: slots[0] ?? null });
  }
  return [...rows.values()];
}

/**
 * A key in each slot, by slot.
 * @param {Redis} redis
 */
async function keyPerSlot(redis) {
  const rows = await oneForEach(missing([]), names(), redis);
  return rows.sort((a, b) => a.slot - b.slot).map(({ key }) => key);
}

/**
 * Characters that cannot be seen, and those that change their neighbours, are escaped.
 * @param {unknown} value
 */
function line(value) {
  const escaped = (/** @type {string} */ unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/(?! )[\p{C}\p{Z}\p{M}]/gu, (shown) =>
    shown.split('').map(escaped).join(''),
  );
}

/**
 * @param {string} file
 * @param {string} list
 * @param {object} header
 * @param {object[]} rows
 */
function write(file, list, header, rows) {
  const head = Object.entries(header).map(([name, value]) => `"${name}": ${line(value)},\n`);
  const body = rows.map(line).join(',\n');
  writeFileSync(new URL(file, import.meta.url), `{\n${head.join('')}"${list}": [\n${body}\n]\n}\n`);
  console.log(`${file}: ${rows.length}`);
}

const [keyServer, patternServer] = process.argv.slice(2);
await withServer(keyServer, async (redis, server) => {
  const header = { server, command: 'CLUSTER KEYSLOT key' };
  write('keys.json', 'keys', header, await recordKeys(redis));
  write('surrogates.json', 'strings', header, await recordSurrogates(redis));
});
await withServer(patternServer, async (redis, server) => {
  const command = 'SORT key GET pattern, asked in a script for one key of each of the 16384 slots';
  write('patterns.json', 'patterns', { server, command }, await recordPatterns(redis));
});
