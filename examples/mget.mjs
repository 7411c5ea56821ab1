// MGET and MSET over 10,000 keys on all primaries, compared with a GET per key; then the same for
// bytes that are no text. Keys all over the slots mean about as many MGETs as keys, for a server
// takes only one slot in each; then a pipeline of GETs is the quicker way to the same values.
//
//   REDIS_CLUSTER=127.0.0.1:7000 node examples/mget.mjs
import { createHash } from 'node:crypto';
import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';

const COUNT = 10_000;
const TTL_SECONDS = 600;

const cluster = new Cluster((process.env.REDIS_CLUSTER ?? '127.0.0.1:7000').split(','));
cluster.on('error', (error) => console.error(`Cluster: ${error.message}`));
const slots = redslot(cluster);

/**
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} action
 */
async function timed(title, action) {
  let best = Number.POSITIVE_INFINITY;
  // The first run of each also compiles its code.
  for (let run = 1; run < 3; run++) best = Math.min(best, (await measured(action)).ms);
  const { ms, result } = await measured(action);
  console.log(`${title}: ${Math.round(Math.min(best, ms))} ms, the best of three`);
  return result;
}

/**
 * @template T
 * @param {() => Promise<T>} action
 */
async function measured(action) {
  const started = performance.now();
  const result = await action();
  return { ms: performance.now() - started, result };
}

try {
  const numbers = Array.from({ length: COUNT }, (_, i) => i + 1);
  const keys = numbers.map((number) => `page:${number}`);
  await slots.mset(new Map(keys.map((key) => [key, `the text of ${key}`])), { ttl: TTL_SECONDS });

  // Where the keys live is what makes cluster.mget(keys) fail.
  const map = await slots.slotMap();
  for (const { node, indices } of map.partition(keys).groups) {
    console.log(`${node.endpoint} holds ${indices.length} of the keys`);
  }
  const refused = await cluster.mget(keys).catch((error) => error);
  console.log(`cluster.mget of ${keys.length} keys: ${refused.message}`);

  const texts = await timed(`slots.mget of ${keys.length} keys`, () => slots.mget(keys));
  const singles = await timed(`${keys.length} times cluster.get`, () =>
    Promise.all(keys.map((key) => cluster.get(key))),
  );
  const replies = await timed(`slots.pipeline of ${keys.length} GETs`, async () => {
    return (await slots.pipeline(keys.map((key) => ['get', key])).exec()) ?? [];
  });
  const equal = texts.filter((text, i) => {
    return text !== null && text === singles[i] && text === replies[i]?.[1];
  }).length;
  console.log(`Equal values: ${equal}`);

  // The order is that of the keys, with null for one that is not there, as from one server.
  console.log(await slots.mget(['page:2', 'page:none', 'page:1']));

  // Keys and values may be Buffers. As strings these values would not survive: they are no UTF-8.
  /** @type {[key: Buffer, value: Buffer][]} */
  const hashes = keys.map((key) => {
    return [Buffer.from(`hash:${key}`), createHash('sha256').update(key).digest()];
  });
  await slots.mset(hashes, { ttl: TTL_SECONDS });
  const bytes = await slots.mget(
    hashes.map(([key]) => key),
    { buffer: true },
  );
  const same = hashes.filter(([, value], i) => bytes[i]?.equals(value)).length;
  console.log(`Buffers with equal bytes: ${same}`);
} finally {
  cluster.disconnect();
}
