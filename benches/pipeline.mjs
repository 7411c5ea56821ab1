/** SETs of keys on all primaries, by every client that a Node.js program may use for them. */
import { redslot } from 'redslot-wasm/ioredis';
import { setsByHand } from './support/by-hand.mjs';
import { checkWriter } from './support/contents.mjs';
import { batchesOf, inBatches, pairsOf } from './support/pairs.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';
import { noteOnGlide, onCluster } from './support/stage.mjs';
import { inTurns } from './support/turns.mjs';

/** @typedef {import('./support/pairs.mjs').Pairs} Pairs */
/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {import('./support/stage.mjs').Clients} Clients */
/** @typedef {import('./support/stage.mjs').TestCluster} TestCluster */

/** @param {Scale} scale */
export async function* run(scale) {
  const pairs = pairsOf(scale.size(100_000, 600));
  const size = scale.size(1000, 200);
  const what = `Pipeline, ${inWords(pairs.keys.length)} SETs`;
  yield* onCluster(async function* (clients, servers) {
    const measured = (/** @type {string} */ title, /** @type {Pairs[]} */ batches) =>
      measure(title, contendersOf(clients, batches), { servers, pairs, scale });
    yield await measured(`${what} in one burst`, [pairs]);
    yield await measured(`${what} in batches of ${size}`, batchesOf(pairs, size));
  });
}

/**
 * @param {string} title
 * @param {Way[]} ways
 * @param {{ servers: TestCluster, pairs: Pairs, scale: Scale }} on
 */
async function measure(title, ways, { servers, pairs, scale }) {
  for (const way of ways) await checkWriter(servers, pairs, way);
  const [ours = [], ...others] = await inTurns(ways, { rounds: scale.rounds(7), warmups: 0 });
  return {
    title,
    note:
      'Keys of 30 bytes, values of 100, three primaries. node-redis is measured without its timer ' +
      `for each command, which makes it faster.${noteOnGlide(ways)}`,
    checked: `all values on the servers, after each of ${ways.length} contenders`,
    heading: PART_OF_TIME,
    rows: others.map((theirs, at) => {
      const { name: against, target } = /** @type {Way} */ (ways[at + 1]);
      const aim = target === undefined ? {} : { target };
      return partOfTime({ work: 'redslot pipeline', ours, against, theirs, ...aim });
    }),
  };
}

/** @typedef {import('./support/turns.mjs').Contender & { target?: number }} Way */

/**
 * Ours first.
 * @param {Clients} clients
 * @param {Pairs[]} batches
 * @returns {Way[]}
 */
function contendersOf({ cluster, auto, nodeRedis, glide }, batches) {
  const sending = (/** @type {SetOne} */ set) => inBatches(batches, (some) => together(some, set));
  const ways = [
    {
      name: 'redslot pipeline',
      work: () => inBatches(batches, (some) => byRedslot(cluster, some)),
    },
    { name: 'node pipelines by hand', work: () => setsByHand(cluster, batches), target: 1 },
    {
      name: 'ioredis autopipelining',
      work: () => sending((key, value) => auto.set(key, value)),
      target: 0.65,
    },
    {
      name: 'Promise.all of cluster.set',
      work: () => sending((key, value) => cluster.set(key, value)),
    },
    {
      name: 'node-redis cluster',
      work: () => sending((key, value) => nodeRedis.set(key, value)),
      target: 0.4,
    },
  ];
  if (!glide) return ways;
  const work = () => inBatches(batches, (some) => glide.setBatch(some));
  return [...ways, { name: 'valkey-glide ClusterBatch', work }];
}

/**
 * @param {Clients['cluster']} cluster
 * @param {Pairs} pairs
 */
function byRedslot(cluster, { keys, values }) {
  const pipeline = redslot(cluster).pipeline();
  for (let at = 0; at < keys.length; at++) {
    pipeline.set(/** @type {string} */ (keys[at]), /** @type {string} */ (values[at]));
  }
  return pipeline.exec();
}

/** @typedef {(key: string, value: string) => Promise<unknown>} SetOne */

/**
 * @param {Pairs} pairs
 * @param {SetOne} set
 */
function together({ keys, values }, set) {
  return Promise.all(keys.map((key, at) => set(key, /** @type {string} */ (values[at]))));
}
