/** Keys divided among the primaries, against the loop in circulation. */
import assert from 'node:assert/strict';
import { keySlots, SlotMap } from 'redslot-wasm';
import { flatKeys } from './support/keys.mjs';
import { byRanges, byTable, checkGroups, sampleOf, slotsReply } from './support/ranges.mjs';
import {
  inWords,
  PART_OF_TIME,
  partOfTime,
  TIMES_AS_FAST,
  timesAsFast,
} from './support/section.mjs';
import { inTurns } from './support/turns.mjs';

/** @typedef {import('./support/scale.mjs').Scale} Scale */

/** More passes over all keys than this are not run but reckoned. */
const PASSES = 8;
const FLAT = 1.3;

const SHAPES = [
  { ranges: 3, primaries: 3, target: 10 },
  { ranges: 300, primaries: 3, target: 800 },
  { ranges: 16_384, primaries: 3, target: 10_000 },
  { ranges: 16_384, primaries: 1000, target: 10_000 },
];

const CHECKED = 'every index in every group, with those of both others';

/** @param {Scale} scale */
export async function* run(scale) {
  const keys = flatKeys({ bytes: 33 }, scale.size(100_000, 500));
  const rows = [];
  for (const shape of SHAPES) rows.push(...(await againstOthers(keys, shape, scale)));
  yield {
    title: 'SlotMap.partition',
    note:
      `${inWords(keys.length)} keys of 33 bytes. The loop in circulation hashes all keys once for each ` +
      'range; what a careful author writes hashes them once and looks up a table of 16,384 slots.',
    checked: CHECKED,
    heading: TIMES_AS_FAST,
    rows,
  };
  yield {
    title: 'SlotMap.partition, against itself on 3 ranges',
    note: `Flat in the number of ranges is read as at most ${FLAT} of the time.`,
    checked: CHECKED,
    heading: PART_OF_TIME,
    rows: await againstItself(keys, scale),
  };
}

/**
 * @param {string[]} keys
 * @param {typeof SHAPES[number]} shape
 * @param {Scale} scale
 */
async function againstOthers(keys, shape, scale) {
  const reply = slotsReply(shape);
  const map = SlotMap.fromSlots(reply);
  const sample = sampleOf(reply, PASSES);
  check(map, keys, reply, sample);
  const [ours = [], loop = [], table = []] = await inTurns(
    [
      { name: 'partition', work: () => map.partition(keys) },
      { name: 'loop', work: () => byRanges(keys, sample) },
      { name: 'table', work: () => byTable(keys, reply) },
    ],
    { rounds: scale.rounds(11), warmups: 2 },
  );
  const scaled = loop.map((time) => (time * reply.length) / sample.length);
  const part = sample.length < reply.length;
  const how = part ? `, ${sample.length} of ${inWords(reply.length)} passes timed and scaled` : '';
  const work = nameOf(shape);
  const { target } = shape;
  return [
    timesAsFast({ work, ours, against: `the loop over ranges${how}`, theirs: scaled, target }),
    timesAsFast({ work, ours, against: 'one pass of careful JavaScript', theirs: table }),
  ];
}

/**
 * @param {string[]} keys
 * @param {Scale} scale
 */
async function againstItself(keys, scale) {
  const contenders = SHAPES.map((shape) => {
    const map = SlotMap.fromSlots(slotsReply(shape));
    return { name: nameOf(shape), work: () => map.partition(keys) };
  });
  const [theirs = [], ...times] = await inTurns(contenders, {
    rounds: scale.rounds(21),
    warmups: 3,
  });
  const [against = '', ...works] = contenders.map(({ name }) => name);
  return works.map((work, at) =>
    partOfTime({ work, ours: times[at] ?? [], against, theirs, target: FLAT }),
  );
}

/** @param {typeof SHAPES[number]} shape */
function nameOf({ ranges, primaries }) {
  return `${inWords(ranges)} ranges of ${inWords(primaries)} primaries`;
}

/**
 * @param {SlotMap} map
 * @param {string[]} keys
 * @param {import('./support/ranges.mjs').Entry[]} reply
 * @param {import('./support/ranges.mjs').Entry[]} sample
 */
function check(map, keys, reply, sample) {
  checkGroups(map, keys, reply);
  const slots = Array.from(keySlots(keys));
  const inRange = sample.map(([start, end]) =>
    slots.flatMap((slot, at) => (slot >= start && slot <= end ? [at] : [])),
  );
  assert.deepEqual(byRanges(keys, sample), inRange);
}
