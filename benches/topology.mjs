/** A topology at its largest, against hashing keys one by one. */
import assert from 'node:assert/strict';
import { keySlot, SlotMap } from 'redslot-wasm';
import { flatKeys } from './support/keys.mjs';
import { SLOTS, slotsReply } from './support/ranges.mjs';
import { PART_OF_TIME, partOfTime } from './support/section.mjs';
import { inTurns } from './support/turns.mjs';

const CALLS = 20_000;

/** @param {import('./support/scale.mjs').Scale} scale */
export async function* run(scale) {
  const reply = slotsReply({ primaries: 1000, ranges: SLOTS });
  const keys = flatKeys({ bytes: 33 }, CALLS);
  check(reply);
  const [ours = [], theirs = []] = await inTurns(
    [
      { name: 'fromSlots', work: () => SlotMap.fromSlots(reply) },
      { name: 'keySlot', work: () => hashAll(keys) },
    ],
    { rounds: scale.rounds(21), warmups: 3 },
  );
  const work = 'SlotMap.fromSlots, 1000 primaries, 16,384 ranges of one slot';
  const against = '20,000 calls of keySlot, 33 bytes, flat';
  yield {
    title: 'Topology',
    note: 'A CLUSTER SLOTS reply as ioredis gives it, parsed, checked and made into a map.',
    checked: 'the owner of each of 16,384 slots, with the reply',
    heading: PART_OF_TIME,
    rows: [partOfTime({ work, ours, against, theirs, target: 1 })],
  };
}

/** @param {import('./support/ranges.mjs').Entry[]} reply */
function check(reply) {
  const map = SlotMap.fromSlots(reply);
  assert.equal(map.primaries.length, 1000);
  for (const [start, end, [host, port]] of reply) {
    assert.equal(start, end);
    assert.equal(map.ownerOf(start)?.endpoint, `${host}:${port}`);
  }
}

/** @param {string[]} keys */
function hashAll(keys) {
  let sum = 0;
  for (const key of keys) sum += keySlot(key);
  return sum;
}
