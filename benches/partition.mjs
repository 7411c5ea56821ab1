/** Keys divided among the primaries, against the loop in circulation. */
import assert from 'node:assert/strict';
import { keySlots, SlotMap } from 'redslot-wasm';
import { flatKeys } from './support/keys.mjs';
import { byRanges, byTable, sampleOf, slotsReply } from './support/ranges.mjs';
import {
  inWords,
  PART_OF_TIME,
  partOfTime,
  TIMES_AS_FAST,
  timesAsFast,
} from './support/section.mjs';
import { inTurns } from './support/turns.mjs';

/** More passes over all keys than this are not run but reckoned. */
const PASSES = 8;

const SHAPES = [
  { ranges: 3, primaries: 3, target: 10 },
  { ranges: 300, primaries: 3, target: 800 },
  { ranges: 16_384, primaries: 3, target: 10_000 },
  { ranges: 16_384, primaries: 1000, target: 10_000 },
];

/** @param {import('./support/scale.mjs').Scale} scale */
export async function* run(scale) {
  const keys = flatKeys({ bytes: 33 }, scale.size(100_000, 500));
  const rows = [];
  const flat = [];
  /** @type {number[] | null} */
  let first = null;
  for (const { target, ...shape } of SHAPES) {
    const { name, passes, times } = await measure(keys, shape, scale);
    const [ours = [], loop = [], table = []] = times;
    const scaled = loop.map((time) => (time * shape.ranges) / passes);
    const against =
      passes < shape.ranges
        ? `the loop over ranges, ${passes} of ${inWords(shape.ranges)} passes timed and scaled`
        : 'the loop over ranges';
    rows.push(timesAsFast({ work: name, ours, against, theirs: scaled, target }));
    rows.push(
      timesAsFast({ work: name, ours, against: 'one pass of careful JavaScript', theirs: table }),
    );
    if (first) flat.push({ name, ours, first });
    first ??= ours;
  }
  const checked = 'every index in every group, with those of both others';
  yield {
    title: 'SlotMap.partition',
    note:
      `${inWords(keys.length)} keys of 33 bytes. The loop in circulation hashes all keys once for ` +
      'each range; what a careful author writes hashes them once and looks up a table of 16,384 slots.',
    checked,
    heading: TIMES_AS_FAST,
    rows,
  };
  yield {
    title: 'SlotMap.partition, against itself on 3 ranges',
    note: 'Flat in the number of ranges is read as at most 1.3 of the time. Each time is from its own turns above.',
    checked,
    heading: PART_OF_TIME,
    rows: flat.map(({ name, ours, first }) =>
      partOfTime({
        work: name,
        ours,
        against: '3 ranges of 3 primaries',
        theirs: first,
        target: 1.3,
      }),
    ),
  };
}

/**
 * @param {string[]} keys
 * @param {{ ranges: number, primaries: number }} shape
 * @param {import('./support/scale.mjs').Scale} scale
 */
async function measure(keys, shape, scale) {
  const reply = slotsReply(shape);
  const map = SlotMap.fromSlots(reply);
  const sample = sampleOf(reply, PASSES);
  check(map, keys, reply, sample);
  const times = await inTurns(
    [
      { name: 'partition', work: () => map.partition(keys) },
      { name: 'loop', work: () => byRanges(keys, sample) },
      { name: 'table', work: () => byTable(keys, reply) },
    ],
    { rounds: scale.rounds(11), warmups: 2 },
  );
  const name = `${inWords(shape.ranges)} ranges of ${inWords(shape.primaries)} primaries`;
  return { name, passes: sample.length, times };
}

/**
 * @param {SlotMap} map
 * @param {string[]} keys
 * @param {import('./support/ranges.mjs').Entry[]} reply
 * @param {import('./support/ranges.mjs').Entry[]} sample
 */
function check(map, keys, reply, sample) {
  const { groups, unowned } = map.partition(keys);
  assert.equal(unowned.length, 0);
  const found = groups.map(({ node, indices }) => [node.endpoint, Array.from(indices)]);
  const table = [...byTable(keys, reply)].filter(([, indices]) => indices.length > 0);
  assert.deepEqual(new Map(/** @type {[string, number[]][]} */ (found)), new Map(table));

  const slots = Array.from(keySlots(keys));
  const inRange = sample.map(([start, end]) =>
    slots.flatMap((slot, at) => (slot >= start && slot <= end ? [at] : [])),
  );
  assert.deepEqual(byRanges(keys, sample), inRange);
}
