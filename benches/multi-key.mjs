/** Many keys in one call: mset, mget and load, against pipelines by hand and valkey-glide. */
import assert from 'node:assert/strict';
import { redslot } from 'redslot-wasm/ioredis';
import { getsByHand, ownersOf, setsByHand } from './support/by-hand.mjs';
import { openIoredis } from './support/clients.mjs';
import { byTurns, withContenders } from './support/contender.mjs';
import { checkWriter, fill } from './support/contents.mjs';
import { hasGlide, noteOnGlide, openGlide } from './support/glide.mjs';
import { pairsOf } from './support/pairs.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';
import { spreadOf } from './support/spread.mjs';
import { onCluster } from './support/stage.mjs';

/** @typedef {import('./support/pairs.mjs').Pairs} Pairs */
/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {import('./support/stage.mjs').TestCluster} TestCluster */
/** @typedef {import('./support/contender.mjs').Way} Way */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {Kin} kin
 * @property {keyof typeof ways} way
 * @property {number} size how many keys are sent at a time
 */

/** @typedef {'redslot' | 'hand' | 'glide'} Kin */

const TARGETS = { hand: 0.5, glide: 0.75 };

const flat = (/** @type {any[]} */ lists) => lists.flat();

/** @satisfies {Record<string, Way>} */
export const ways = {
  redslotMset: redslotWay((slots, { entries }) => slots.mset(entries)),
  redslotMget: { ...redslotWay((slots, { keys }) => slots.mget(keys)), values: flat },
  redslotLoad: redslotWay((slots, { entries }) => slots.load(entries)),
  handSets: handWay(setsByHand),
  handGets: {
    ...handWay(getsByHand),
    values: (lists) => lists.flat().map(([error, value]) => error ?? value),
  },
  glideSets: { open: async (nodes) => (await openGlide(nodes)).setBatch },
  glideGets: { open: async (nodes) => (await openGlide(nodes)).getBatch, values: flat },
  glideMset: { open: async (nodes) => (await openGlide(nodes)).mset },
  glideMget: { open: async (nodes) => (await openGlide(nodes)).mget, values: flat },
};

/**
 * @param {(slots: ReturnType<typeof redslot>, pairs: Pairs) => Promise<unknown>} send
 * @returns {Way}
 */
function redslotWay(send) {
  return {
    open: async (nodes) => {
      const slots = redslot(await openIoredis(nodes));
      return (pairs) => send(slots, pairs);
    },
  };
}

/**
 * @param {typeof setsByHand | typeof getsByHand} send
 * @returns {Way}
 */
function handWay(send) {
  return {
    open: async (nodes) => {
      const owners = await ownersOf(await openIoredis(nodes));
      return (pairs) => send(owners, pairs);
    },
  };
}

/** @param {Scale} scale */
export async function* run(scale) {
  const glide = await hasGlide();
  const pairs = pairsOf(scale.size(100_000, 600));
  const whole = pairs.keys.length;
  const part = scale.size(1000, 200);
  yield* onCluster(async function* (servers) {
    for (const table of tables(whole, part)) {
      const entries = table.entries.filter(({ kin }) => glide || kin !== 'glide');
      yield await measure({ ...table, entries }, { servers, pairs, scale, glide });
    }
  });
}

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {boolean} reads
 * @property {Entry[]} entries ours first
 */

/**
 * @param {number} whole
 * @param {number} part
 * @returns {Iterable<Table>}
 */
function* tables(whole, part) {
  const what = `${inWords(whole)} keys`;
  for (const { how, size } of [
    { how: 'one burst', size: whole },
    { how: `batches of ${part}`, size: part },
  ]) {
    const mset = [byRedslot('mset', size), ...writers(size)];
    yield { title: `mset, ${what} in ${how}`, reads: false, entries: mset };
    const mget = [byRedslot('mget', size), ...readers(size)];
    yield { title: `mget, ${what} in ${how}`, reads: true, entries: mget };
  }
  const load = [
    byRedslot('load', whole),
    ...writers(whole, ', one burst'),
    ...writers(part, `, batches of ${part}`),
  ];
  yield { title: `load, ${what}`, reads: false, entries: load };
}

/**
 * @param {'mset' | 'mget' | 'load'} method
 * @param {number} size
 * @returns {Entry}
 */
function byRedslot(method, size) {
  const way = /** @type {const} */ ({
    mset: 'redslotMset',
    mget: 'redslotMget',
    load: 'redslotLoad',
  })[method];
  return { name: `redslot ${method}`, kin: 'redslot', way, size };
}

/**
 * @param {number} size
 * @param {string} [how]
 * @returns {Entry[]}
 */
function writers(size, how = '') {
  return [
    { name: `node pipelines of SETs by hand${how}`, kin: 'hand', way: 'handSets', size },
    { name: `valkey-glide ClusterBatch${how}`, kin: 'glide', way: 'glideSets', size },
    { name: `valkey-glide mset${how}`, kin: 'glide', way: 'glideMset', size },
  ];
}

/**
 * @param {number} size
 * @returns {Entry[]}
 */
function readers(size) {
  return [
    { name: 'node pipelines of GETs by hand', kin: 'hand', way: 'handGets', size },
    { name: 'valkey-glide ClusterBatch', kin: 'glide', way: 'glideGets', size },
    { name: 'valkey-glide mget', kin: 'glide', way: 'glideMget', size },
  ];
}

/**
 * @param {Table} table
 * @param {{ servers: TestCluster, pairs: Pairs, scale: Scale, glide: boolean }} on
 */
async function measure({ title, reads, entries }, { servers, pairs, scale, glide }) {
  const job = { part: import.meta.url, nodes: servers.startupNodes, count: pairs.keys.length };
  const jobs = entries.map(({ way, size }) => ({ ...job, way, size }));
  if (reads) await fill(servers, pairs);
  const times = await withContenders(jobs, async (contenders) => {
    for (const [at, { tryOut }] of contenders.entries()) {
      const name = String(entries[at]?.name);
      if (reads) assert.deepEqual(await tryOut(), pairs.values, name);
      else await checkWriter(servers, pairs, name, tryOut);
    }
    return byTurns(contenders, { rounds: scale.rounds(5), warmups: 1 });
  });
  return {
    title,
    note:
      'Keys of 30 bytes, values of 100, three primaries; each contender in a process of its own. ' +
      'Where there are several ways with one client, the target is for the fastest of them.' +
      noteOnGlide(glide),
    checked: `all values, with each of ${entries.length} contenders`,
    heading: PART_OF_TIME,
    rows: rowsOf(entries, times),
  };
}

/**
 * @param {Entry[]} entries
 * @param {number[][]} times
 */
function rowsOf(entries, times) {
  const timed = entries.map((entry, at) => ({ ...entry, times: times[at] ?? [] }));
  const [ours, ...others] = /** @type {[Timed, ...Timed[]]} */ (timed);
  const fastest = [fastestOf(others, 'hand'), fastestOf(others, 'glide')];
  return others.map((theirs) => {
    const { name: against, kin } = theirs;
    const aim = kin !== 'redslot' && fastest.includes(theirs) ? { target: TARGETS[kin] } : {};
    return partOfTime({ work: ours.name, ours: ours.times, against, theirs: theirs.times, ...aim });
  });
}

/** @typedef {Entry & { times: number[] }} Timed */

/**
 * @param {Timed[]} ways
 * @param {Kin} kin
 */
function fastestOf(ways, kin) {
  const median = (/** @type {Timed} */ { times }) => spreadOf(times).median;
  return ways.filter((way) => way.kin === kin).sort((a, b) => median(a) - median(b))[0];
}
