/**
 * Hashing and partitioning against the packages and recipes in use.
 *
 * Every figure is a ratio of two things measured in turns in this process, after their results have
 * been compared. Times are the median of the rounds; the spread is from the first to the third
 * quartile, in percent of the median.
 */
import assert from 'node:assert/strict';
import clusterKeySlot from 'cluster-key-slot';
import { keySlot, keySlots, SlotMap } from 'redslot-wasm';
import { table } from '../scripts/table.mjs';

const KEYS = 100_000;
const ROUNDS = 21;

/** @typedef {{ median: number, low: number, high: number }} Spread */
/** @typedef {[start: number, end: number, primary: [host: string, port: number]]} Entry */

/** @param {string} filter */
export function run(filter) {
  for (const [name, measure] of Object.entries({ hashing, partitioning })) {
    if (!name.includes(filter)) continue;
    const heading = ['work', 'ns per key', 'spread', 'against', 'ratio'];
    console.log(`\n${name}, ${KEYS.toLocaleString('en-US')} keys\n${table(heading, measure())}`);
  }
}

function hashing() {
  const rows = [];
  for (const [name, keys] of Object.entries({
    '33 bytes, plain': plainKeys(33),
    '49 bytes, tagged': taggedKeys(),
  })) {
    const peer = () => keys.map((key) => clusterKeySlot(key));
    const loop = () => {
      const slots = new Uint16Array(keys.length);
      for (let at = 0; at < keys.length; at++)
        slots[at] = clusterKeySlot(/** @type {string} */ (keys[at]));
      return slots;
    };
    assert.deepEqual(Array.from(keySlots(keys)), peer());
    const [batch, one, theirs] = inTurns([
      () => keySlots(keys),
      () => {
        const slots = new Uint16Array(keys.length);
        for (let at = 0; at < keys.length; at++)
          slots[at] = keySlot(/** @type {string} */ (keys[at]));
        return slots;
      },
      loop,
    ]);
    rows.push(row(`keySlots, ${name}`, batch, 'cluster-key-slot in a loop', theirs));
    rows.push(row(`keySlot in a loop, ${name}`, one, 'cluster-key-slot in a loop', theirs));
  }
  return rows;
}

function partitioning() {
  const keys = plainKeys(33);
  const three = even(3, 5462);
  const scattered = even(1000, 1);
  const reply = [0, 1, 2].map(
    (at) => /** @type {Entry} */ ([at * 5462, Math.min(16383, at * 5462 + 5461), [`h${at}`, 1]]),
  );
  assert.deepEqual(
    three.partition(keys).groups.map(({ indices }) => Array.from(indices)),
    byHand(keys, reply),
  );
  const [onThree, onScattered, theirs] = inTurns([
    () => three.partition(keys),
    () => scattered.partition(keys),
    () => byHand(keys, reply),
  ]);
  return [
    row('partition, 3 ranges of 3 primaries', onThree, 'the loop over ranges', theirs),
    row('partition, 16384 ranges of 1000', onScattered, 'itself on 3 ranges', onThree),
  ];
}

/**
 * The recipe in circulation: for each range a pass over all keys, each of them hashed again.
 * @param {string[]} keys
 * @param {Entry[]} reply
 */
function byHand(keys, reply) {
  return reply.map(([start, end]) => {
    /** @type {number[]} */
    const indices = [];
    for (let at = 0; at < keys.length; at++) {
      const slot = clusterKeySlot(/** @type {string} */ (keys[at]));
      if (slot >= start && slot <= end) indices.push(at);
    }
    return indices;
  });
}

/**
 * Slots dealt out in runs of `length` to `primaries` primaries in turn.
 * @param {number} primaries
 * @param {number} length
 */
function even(primaries, length) {
  const reply = [];
  for (let start = 0; start < 16384; start += length) {
    const owner = (start / length) % primaries;
    reply.push([start, Math.min(start + length, 16384) - 1, [`h${owner}`, 1]]);
  }
  return SlotMap.fromSlots(reply);
}

/** @param {number} length */
function plainKeys(length) {
  return flat((at) => `user:profile:${at}:`.padEnd(length, 'settings'));
}

function taggedKeys() {
  return flat((at) => `app:{user-${String(at).padStart(8, '0')}}:`.padEnd(49, 'session:'));
}

/**
 * Keys as they come from a socket or a file, not as concatenations still to be carried out.
 * @param {(at: number) => string} keyAt
 */
function flat(keyAt) {
  return Array.from({ length: KEYS }, (_, at) => Buffer.from(keyAt(at)).toString());
}

/**
 * Median and quartiles in milliseconds of each of `works`, run in turns.
 * @template {(() => unknown)[]} Works
 * @param {[...Works]} works
 */
function inTurns(works) {
  const times = works.map(() => /** @type {number[]} */ ([]));
  for (let round = -3; round < ROUNDS; round++) {
    for (const [at, work] of works.entries()) {
      const begin = performance.now();
      work();
      const time = performance.now() - begin;
      if (round >= 0) times[at]?.push(time);
    }
  }
  const spreads = times.map((list) => {
    list.sort((a, b) => a - b);
    const quantile = (/** @type {number} */ part) => list[Math.round(part * (list.length - 1))];
    return { median: quantile(0.5), low: quantile(0.25), high: quantile(0.75) };
  });
  return /** @type {{ [I in keyof Works]: Spread }} */ (spreads);
}

/**
 * @param {string} work
 * @param {Spread} ours
 * @param {string} against
 * @param {Spread} theirs
 */
function row(work, ours, against, theirs) {
  return [
    work,
    Math.round((ours.median * 1e6) / KEYS),
    `${Math.round(((ours.high - ours.low) / ours.median) * 100)} %`,
    against,
    `${(theirs.median / ours.median).toFixed(2)} times as fast`,
  ];
}
