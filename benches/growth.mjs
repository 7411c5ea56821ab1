/** How time grows with keys, with primaries and with ranges. */
import assert from 'node:assert/strict';
import { keySlots, SlotMap } from 'redslot-wasm';
import { flatKeys } from './support/keys.mjs';
import { carefulOneByOne, peerOneByOne } from './support/one-by-one.mjs';
import { svgOf } from './support/plot.mjs';
import { byRanges, byTable, checkGroups, SLOTS, sampleOf, slotsReply } from './support/ranges.mjs';
import { inWords, number, time } from './support/section.mjs';
import { spreadOf } from './support/spread.mjs';
import { inTurns } from './support/turns.mjs';

/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {import('./support/turns.mjs').Contender & { factor?: number }} Way `factor` scales its time */

const PASSES = 4;
/** A work that is done with fewer keys than this is repeated within its time. */
const ENOUGH = 100_000;

/** @param {Scale} scale */
export async function* run(scale) {
  yield await overKeys(scale);
  yield await overPrimaries(scale);
  yield await overRanges(scale);
}

/** @param {Scale} scale */
function overKeys(scale) {
  const reply = slotsReply({ primaries: 3, ranges: 3 });
  const map = SlotMap.fromSlots(reply);
  return growth(scale, {
    file: 'keys',
    counted: 'keys',
    title: 'Time against the number of keys',
    note: 'Keys of 33 bytes, flat; three ranges of three primaries.',
    checked: 'the slots and the groups of all keys',
    counts: [100, 1000, 10_000, 100_000, 1_000_000],
    waysOf: (count) => {
      const keys = flatKeys({ bytes: 33 }, count);
      assert.deepEqual(keySlots(keys), carefulOneByOne(keys));
      assert.deepEqual(keySlots(keys), peerOneByOne(keys));
      checkGroups(map, keys, reply);
      const times = Math.ceil(scale.size(ENOUGH, 1) / count);
      return [
        { name: 'keySlots', work: () => keySlots(keys) },
        { name: 'partition', work: () => map.partition(keys) },
        { name: 'careful JavaScript', work: () => carefulOneByOne(keys) },
        { name: 'cluster-key-slot', work: () => peerOneByOne(keys) },
      ].map((way) => repeated(way, times));
    },
  });
}

/** @param {Scale} scale */
function overPrimaries(scale) {
  const keys = flatKeys({ bytes: 33 }, scale.size(100_000, 500));
  return growth(scale, {
    file: 'primaries',
    counted: 'primaries',
    title: 'Time against the number of primaries',
    note: `${inWords(keys.length)} keys of 33 bytes, 16,384 ranges of one slot.`,
    checked: 'the groups of all keys',
    counts: [3, 10, 30, 100, 300, 1000],
    waysOf: (primaries) => {
      const reply = slotsReply({ primaries, ranges: SLOTS });
      return ofTopology(keys, reply);
    },
  });
}

/** @param {Scale} scale */
function overRanges(scale) {
  const keys = flatKeys({ bytes: 33 }, scale.size(100_000, 500));
  return growth(scale, {
    file: 'ranges',
    counted: 'ranges',
    title: 'Time against the number of ranges',
    note:
      `${inWords(keys.length)} keys of 33 bytes, three primaries. Of the loop over ranges, ` +
      `${PASSES} passes at most were timed and scaled.`,
    checked: 'the groups of all keys',
    counts: [3, 30, 300, 3000, SLOTS],
    waysOf: (ranges) => {
      const reply = slotsReply({ primaries: 3, ranges });
      const sample = sampleOf(reply, PASSES);
      const factor = ranges / sample.length;
      const loop = { name: 'loop over ranges', factor, work: () => byRanges(keys, sample) };
      return [...ofTopology(keys, reply), loop];
    },
  });
}

/**
 * @param {string[]} keys
 * @param {import('./support/ranges.mjs').Entry[]} reply
 * @returns {Way[]}
 */
function ofTopology(keys, reply) {
  const map = SlotMap.fromSlots(reply);
  checkGroups(map, keys, reply);
  return [
    { name: 'partition', work: () => map.partition(keys) },
    { name: 'SlotMap.fromSlots', work: () => SlotMap.fromSlots(reply) },
    { name: 'careful JavaScript', work: () => byTable(keys, reply) },
  ];
}

/**
 * @typedef {object} Question
 * @property {string} file
 * @property {string} counted
 * @property {string} title
 * @property {string} note
 * @property {string} checked
 * @property {number[]} counts
 * @property {(count: number) => Way[]} waysOf
 */

/**
 * @param {Scale} scale
 * @param {Question} question
 * @returns {Promise<import('./support/section.mjs').Section>}
 */
async function growth(scale, { file, counted, title, note, checked, waysOf, ...question }) {
  const counts = scale.counts(question.counts);
  /** @type {Map<string, [number, number][]>} */
  const series = new Map();
  for (const count of counts) {
    scale.tell(`${title}: ${inWords(count)}`);
    const ways = waysOf(count);
    const times = await inTurns(ways, { rounds: scale.rounds(7), warmups: 2 });
    for (const [at, { name, factor = 1 }] of ways.entries()) {
      const points = series.get(name) ?? [];
      points.push([count, spreadOf(times[at] ?? []).median * factor]);
      series.set(name, points);
    }
  }
  const lines = [...series].map(([name, points]) => ({ name, points }));
  return {
    title,
    note: `${note} The exponent is of the line through all points: 1 is linear, 0 is flat.`,
    checked,
    heading: ['work', ...counts.map((count) => `${inWords(count)} ${counted}`), 'exponent'],
    rows: lines.map(({ name, points }) => [
      name,
      ...points.map(([, milliseconds]) => time(milliseconds)),
      number(exponentOf(points)),
    ]),
    plots: [
      {
        file: `${file}.svg`,
        svg: svgOf({ title, x: `number of ${counted}`, y: 'time', series: lines }),
        alt: `${title}: ${lines.map(({ name }) => name).join(', ')}; the numbers are in the table`,
      },
    ],
  };
}

/**
 * @param {Way} way
 * @param {number} times
 * @returns {Way}
 */
function repeated({ name, work }, times) {
  const repeat = () => {
    for (let i = 0; i < times; i++) work(undefined);
  };
  return { name, work: repeat, factor: 1 / times };
}

/**
 * The slope of the line that is nearest to the points, over the logarithms of both.
 * @param {[number, number][]} points
 */
function exponentOf(points) {
  const logs = points.map(([x, y]) => /** @type {const} */ ([Math.log(x), Math.log(y)]));
  const mean = (/** @type {0 | 1} */ at) =>
    logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const both = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return both / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}
