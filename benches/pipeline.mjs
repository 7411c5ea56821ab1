/**
 * `pipeline().exec()` against hand-written node pipelines and ioredis' autopipelining, on a real
 * cluster of three primaries. Every figure is a ratio of things measured in turns in one run,
 * after all values have been read back.
 */
import assert from 'node:assert/strict';
import { Cluster } from 'ioredis';
import { SlotMap } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { table } from '../scripts/table.mjs';
import { startCluster } from '../tests/cluster/support/cluster.mjs';

const COMMANDS = 100_000;
const ROUNDS = 7;
const VALUE = 'v'.repeat(100);

/** @type {{ name: string, size: number }[]} */
const WORKS = [
  { name: '100,000 SETs in one burst', size: COMMANDS },
  { name: '100,000 SETs in batches of 1000', size: 1000 },
];

/**
 * The recipe done right: owner by slot, one pipeline per primary, replies put back by position.
 * @param {Cluster} cluster
 * @param {string[]} keys
 */
async function byHand(cluster, keys) {
  const map = SlotMap.fromSlots(await cluster.cluster('SLOTS'));
  const nodes = new Map(
    cluster.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  /** @type {([Error | null, unknown] | undefined)[]} */
  const replies = new Array(keys.length);
  await Promise.all(
    map.partition(keys).groups.map(async ({ node, indices }) => {
      const pipeline = /** @type {import('ioredis').Redis} */ (
        nodes.get(/** @type {string} */ (node.endpoint))
      ).pipeline();
      for (const i of indices) pipeline.set(/** @type {string} */ (keys[i]), VALUE);
      const some = (await pipeline.exec()) ?? [];
      indices.forEach((i, at) => {
        replies[i] = some[at];
      });
    }),
  );
  return replies;
}

/**
 * @param {Cluster} cluster
 * @param {string[]} keys
 */
function byRedslot(cluster, keys) {
  const pipeline = redslot(cluster).pipeline();
  for (const key of keys) pipeline.set(key, VALUE);
  return pipeline.exec();
}

/**
 * @param {Cluster} cluster
 * @param {string[]} keys
 */
function byAutoPipelining(cluster, keys) {
  return Promise.all(keys.map((key) => cluster.set(key, VALUE)));
}

/** @param {string} filter */
export async function run(filter) {
  const works = WORKS.filter(({ name }) => name.includes(filter));
  if (works.length === 0) return;
  const servers = await startCluster({ primaries: 3 });
  const cluster = new Cluster(servers.startupNodes);
  const auto = new Cluster(servers.startupNodes, { enableAutoPipelining: true });
  try {
    await Promise.all([cluster, auto].map((client) => client.set('warm', 'up')));
    for (const work of works) console.log(`\n${await report(work, cluster, auto)}`);
  } finally {
    cluster.disconnect();
    auto.disconnect();
    await servers.stop();
  }
}

/**
 * @param {{ name: string, size: number }} work
 * @param {Cluster} cluster
 * @param {Cluster} auto
 */
async function report({ name, size }, cluster, auto) {
  const keys = Array.from({ length: COMMANDS }, (_, i) =>
    `bench:pipeline:key:${i}`.padEnd(30, '.'),
  );
  const ways = [
    {
      name: 'redslot pipeline',
      work: () => inBatches(keys, size, (some) => byRedslot(cluster, some)),
    },
    {
      name: 'node pipelines by hand',
      work: () => inBatches(keys, size, (some) => byHand(cluster, some)),
    },
    {
      name: 'autopipelining',
      work: () => inBatches(keys, size, (some) => byAutoPipelining(auto, some)),
    },
  ];
  for (const way of ways) await check(cluster, keys, way.work);
  const times = await inTurns(ways.map(({ work }) => work));
  const base = /** @type {number} */ (times[1]?.median);
  return `${name}, ratio to node pipelines by hand\n${table(
    ['way', 'ms', 'spread', 'ratio'],
    ways.map((way, i) => {
      const { median, low, high } = /** @type {Spread} */ (times[i]);
      const spread = `${Math.round(low)}-${Math.round(high)}`;
      return [way.name, Math.round(median), spread, (median / base).toFixed(2)];
    }),
  )}`;
}

/**
 * @param {string[]} keys
 * @param {number} size
 * @param {(some: string[]) => Promise<unknown>} send
 */
async function inBatches(keys, size, send) {
  for (let i = 0; i < keys.length; i += size) await send(keys.slice(i, i + size));
}

/**
 * All keys hold the value after the work, and none did before it.
 * @param {Cluster} cluster
 * @param {string[]} keys
 * @param {() => Promise<unknown>} work
 */
async function check(cluster, keys, work) {
  await Promise.all(cluster.nodes('master').map((node) => node.flushall()));
  await work();
  const pipeline = redslot(cluster).pipeline();
  for (const key of keys) pipeline.get(key);
  const replies = await pipeline.exec();
  assert.ok(replies?.every(([error, value]) => error === null && value === VALUE));
}

/** @typedef {{ median: number, low: number, high: number }} Spread */

/**
 * Median and quartiles in milliseconds of each of `works`, run in turns after one round unmeasured.
 * @param {(() => Promise<unknown>)[]} works
 * @returns {Promise<Spread[]>}
 */
async function inTurns(works) {
  /** @type {number[][]} */
  const times = works.map(() => []);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, work] of works.entries()) {
      const begin = performance.now();
      await work();
      if (round >= 0) times[i]?.push(performance.now() - begin);
    }
  }
  return times.map((list) => {
    list.sort((a, b) => a - b);
    const at = (/** @type {number} */ part) =>
      /** @type {number} */ (list[Math.round(part * (list.length - 1))]);
    return { median: at(0.5), low: at(0.25), high: at(0.75) };
  });
}
