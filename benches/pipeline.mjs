/** SETs of keys on all primaries, by every client that a Node.js program may use for them. */
import { redslot } from 'redslot-wasm/ioredis';
import { ownersOf, setsByHand } from './support/by-hand.mjs';
import { openIoredis, openNodeRedis } from './support/clients.mjs';
import { byTurns, withContenders } from './support/contender.mjs';
import { checkWriter } from './support/contents.mjs';
import { hasGlide, noteOnGlide, openGlide } from './support/glide.mjs';
import { pairsOf } from './support/pairs.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';
import { onCluster } from './support/stage.mjs';

/** @typedef {import('./support/pairs.mjs').Pairs} Pairs */
/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {import('./support/stage.mjs').TestCluster} TestCluster */
/** @typedef {{ name: string, way: keyof typeof ways, target?: number }} Entry */

/** @satisfies {Record<string, import('./support/contender.mjs').Way>} */
export const ways = {
  redslot: {
    open: async (nodes) => {
      const cluster = await openIoredis(nodes);
      return (pairs) => byRedslot(cluster, pairs);
    },
  },
  hand: {
    open: async (nodes) => {
      const owners = await ownersOf(await openIoredis(nodes));
      return (pairs) => setsByHand(owners, pairs);
    },
  },
  auto: {
    open: async (nodes) => {
      const cluster = await openIoredis(nodes, { enableAutoPipelining: true });
      return (pairs) => together(pairs, (key, value) => cluster.set(key, value));
    },
  },
  single: {
    open: async (nodes) => {
      const cluster = await openIoredis(nodes);
      return (pairs) => together(pairs, (key, value) => cluster.set(key, value));
    },
  },
  nodeRedis: {
    open: async (nodes) => {
      const client = await openNodeRedis(nodes);
      return (pairs) => together(pairs, (key, value) => client.set(key, value));
    },
  },
  glide: { open: async (nodes) => (await openGlide(nodes)).setBatch },
};

/** @type {Entry[]} ours first */
const ENTRIES = [
  { name: 'redslot pipeline', way: 'redslot' },
  { name: 'node pipelines by hand', way: 'hand', target: 1 },
  { name: 'ioredis autopipelining', way: 'auto', target: 0.65 },
  { name: 'Promise.all of cluster.set', way: 'single' },
  { name: 'node-redis cluster', way: 'nodeRedis', target: 0.4 },
];
/** @type {Entry} */
const GLIDE = { name: 'valkey-glide ClusterBatch', way: 'glide' };

/** @param {Scale} scale */
export async function* run(scale) {
  const glide = await hasGlide();
  const pairs = pairsOf(scale.size(100_000, 600));
  const size = scale.size(1000, 200);
  const what = `Pipeline, ${inWords(pairs.keys.length)} SETs`;
  yield* onCluster(async function* (servers) {
    const on = { servers, pairs, scale, glide };
    yield await measure(`${what} in one burst`, pairs.keys.length, on);
    yield await measure(`${what} in batches of ${size}`, size, on);
  });
}

/**
 * @param {string} title
 * @param {number} size how many are sent at a time
 * @param {{ servers: TestCluster, pairs: Pairs, scale: Scale, glide: boolean }} on
 */
async function measure(title, size, { servers, pairs, scale, glide }) {
  const entries = glide ? [...ENTRIES, GLIDE] : ENTRIES;
  const job = {
    part: import.meta.url,
    nodes: servers.startupNodes,
    count: pairs.keys.length,
    size,
  };
  const jobs = entries.map(({ way }) => ({ ...job, way }));
  const [ours = [], ...others] = await withContenders(jobs, async (contenders) => {
    for (const [at, { tryOut }] of contenders.entries()) {
      await checkWriter(servers, pairs, String(entries[at]?.name), tryOut);
    }
    return byTurns(contenders, { rounds: scale.rounds(7), warmups: 1 });
  });
  return {
    title,
    note:
      'Keys of 30 bytes, values of 100, three primaries; each contender in a process of its own. ' +
      'node-redis is measured without its timer for each command, which makes it faster.' +
      noteOnGlide(glide),
    checked: `all values on the servers, after each of ${entries.length} contenders`,
    heading: PART_OF_TIME,
    rows: others.map((theirs, at) => {
      const { name: against, target } = /** @type {Entry} */ (entries[at + 1]);
      const aim = target === undefined ? {} : { target };
      return partOfTime({ work: 'redslot pipeline', ours, against, theirs, ...aim });
    }),
  };
}

/**
 * @param {import('ioredis').Cluster} cluster
 * @param {Pairs} pairs
 */
function byRedslot(cluster, { keys, values }) {
  const pipeline = redslot(cluster).pipeline();
  for (let at = 0; at < keys.length; at++) {
    pipeline.set(/** @type {string} */ (keys[at]), /** @type {string} */ (values[at]));
  }
  return pipeline.exec();
}

/**
 * @param {Pairs} pairs
 * @param {(key: string, value: string) => Promise<unknown>} set
 */
function together({ keys, values }, set) {
  return Promise.all(keys.map((key, at) => set(key, /** @type {string} */ (values[at]))));
}
