/** Many keys in one call: mset, mget and load, against pipelines by hand and valkey-glide. */
import assert from 'node:assert/strict';
import { redslot } from 'redslot-wasm/ioredis';
import { byHand, ownersOf, setsByHand } from './support/by-hand.mjs';
import { checkWriter } from './support/contents.mjs';
import { batchesOf, inBatches, pairsOf } from './support/pairs.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';
import { noteOnGlide, onCluster } from './support/stage.mjs';
import { inTurns, spreadOf } from './support/turns.mjs';

/** @typedef {import('./support/pairs.mjs').Pairs} Pairs */
/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {import('./support/stage.mjs').Clients} Clients */
/** @typedef {import('./support/stage.mjs').TestCluster} TestCluster */

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {Kin} kin
 * @property {() => Promise<any[]>} work
 * @property {(result: any[]) => unknown[]} [values] what was read, in the order of the keys
 */

/** @typedef {'redslot' | 'hand' | 'glide'} Kin */

const TARGETS = { hand: 0.5, glide: 0.75 };

/** @param {Scale} scale */
export async function* run(scale) {
  const pairs = pairsOf(scale.size(100_000, 600));
  const size = scale.size(1000, 200);
  const batches = batchesOf(pairs, size);
  const what = `${inWords(pairs.keys.length)} keys`;
  yield* onCluster(async function* (clients, servers) {
    const on = { clients, servers, pairs, scale };
    for (const { how, division } of [
      { how: 'one burst', division: [pairs] },
      { how: `batches of ${size}`, division: batches },
    ]) {
      const mset = [msetByRedslot(clients, division), ...writers(clients, division)];
      yield await measure(`mset, ${what} in ${how}`, mset, on);
      const mget = [mgetByRedslot(clients, division), ...readers(clients, division)];
      yield await measure(`mget, ${what} in ${how}`, mget, on);
    }
    const load = [
      loadByRedslot(clients, pairs),
      ...writers(clients, [pairs], ', one burst'),
      ...writers(clients, batches, `, batches of ${size}`),
    ];
    yield await measure(`load, ${what}`, load, on);
  });
}

/**
 * @param {string} title
 * @param {Way[]} ways ours first
 * @param {{ clients: Clients, servers: TestCluster, pairs: Pairs, scale: Scale }} on
 */
async function measure(title, ways, { clients, servers, pairs, scale }) {
  if (ways.some(({ values }) => values)) await setsByHand(clients.cluster, [pairs]);
  for (const way of ways) {
    if (way.values) assert.deepEqual(way.values(await way.work()), pairs.values, way.name);
    else await checkWriter(servers, pairs, way);
  }
  const times = await inTurns(ways, { rounds: scale.rounds(7), warmups: 0 });
  return {
    title,
    note:
      'Keys of 30 bytes, values of 100, three primaries. Where there are several ways with one ' +
      `client, the target is for the fastest of them.${noteOnGlide(ways)}`,
    checked: `all values, with each of ${ways.length} contenders`,
    heading: PART_OF_TIME,
    rows: rowsOf(ways, times),
  };
}

/**
 * @param {Way[]} ways
 * @param {number[][]} times
 */
function rowsOf(ways, times) {
  const timed = ways.map((way, at) => ({ ...way, times: times[at] ?? [] }));
  const [ours, ...others] = /** @type {[Timed, ...Timed[]]} */ (timed);
  const fastest = [fastestOf(others, 'hand'), fastestOf(others, 'glide')];
  return others.map((theirs) => {
    const { name: against, kin } = theirs;
    const aim = kin !== 'redslot' && fastest.includes(theirs) ? { target: TARGETS[kin] } : {};
    return partOfTime({ work: ours.name, ours: ours.times, against, theirs: theirs.times, ...aim });
  });
}

/** @typedef {Way & { times: number[] }} Timed */

/**
 * @param {Timed[]} ways
 * @param {Kin} kin
 */
function fastestOf(ways, kin) {
  const median = (/** @type {Timed} */ { times }) => spreadOf(times).median;
  return ways.filter((way) => way.kin === kin).sort((a, b) => median(a) - median(b))[0];
}

/**
 * @param {Clients} clients
 * @param {Pairs[]} batches
 * @returns {Way}
 */
function msetByRedslot({ cluster }, batches) {
  const work = () => inBatches(batches, ({ entries }) => redslot(cluster).mset(entries));
  return { name: 'redslot mset', kin: 'redslot', work };
}

/**
 * @param {Clients} clients
 * @param {Pairs[]} batches
 * @returns {Way}
 */
function mgetByRedslot({ cluster }, batches) {
  const work = () => inBatches(batches, ({ keys }) => redslot(cluster).mget(keys));
  return { name: 'redslot mget', kin: 'redslot', work, values: (lists) => lists.flat() };
}

/**
 * @param {Clients} clients
 * @param {Pairs} pairs
 * @returns {Way}
 */
function loadByRedslot({ cluster }, pairs) {
  const work = () => inBatches([pairs], ({ entries }) => redslot(cluster).load(entries));
  return { name: 'redslot load', kin: 'redslot', work };
}

/**
 * @param {Clients} clients
 * @param {Pairs[]} batches
 * @param {string} [how]
 * @returns {Way[]}
 */
function writers({ cluster, glide }, batches, how = '') {
  /** @type {Way} */
  const hand = {
    name: `node pipelines of SETs by hand${how}`,
    kin: 'hand',
    work: () => setsByHand(cluster, batches),
  };
  if (!glide) return [hand];
  return [
    hand,
    {
      name: `valkey-glide ClusterBatch${how}`,
      kin: 'glide',
      work: () => inBatches(batches, glide.setBatch),
    },
    { name: `valkey-glide mset${how}`, kin: 'glide', work: () => inBatches(batches, glide.mset) },
  ];
}

/**
 * @param {Clients} clients
 * @param {Pairs[]} batches
 * @returns {Way[]}
 */
function readers({ cluster, glide }, batches) {
  /** @type {Way} */
  const hand = {
    name: 'node pipelines of GETs by hand',
    kin: 'hand',
    work: () => getsByHand(cluster, batches),
    values: (lists) => lists.flat().map(([error, value]) => error ?? value),
  };
  if (!glide) return [hand];
  const values = (/** @type {any[]} */ lists) => lists.flat();
  return [
    hand,
    {
      name: 'valkey-glide ClusterBatch',
      kin: 'glide',
      values,
      work: () => inBatches(batches, glide.getBatch),
    },
    { name: 'valkey-glide mget', kin: 'glide', values, work: () => inBatches(batches, glide.mget) },
  ];
}

/**
 * @param {Clients['cluster']} cluster
 * @param {Pairs[]} batches
 */
async function getsByHand(cluster, batches) {
  const owners = await ownersOf(cluster);
  return inBatches(batches, ({ keys }) =>
    byHand(owners, keys, (pipeline, key) => pipeline.get(key)),
  );
}
