/** Hash slots of single keys and of many, against cluster-key-slot and careful plain JavaScript. */
import assert from 'node:assert/strict';
import { keySlots } from 'redslot-wasm';
import { buffers, flatKeys, ropes } from './support/keys.mjs';
import {
  carefulBuffersOneByOne,
  carefulOneByOne,
  oneByOne,
  peerBuffersOneByOne,
  peerOneByOne,
} from './support/one-by-one.mjs';
import { inWords, TIMES_AS_FAST, timesAsFast } from './support/section.mjs';
import { inTurns } from './support/turns.mjs';

/** @typedef {{ bytes: number, tagged?: boolean }} Shape */
/** @typedef {(keys: any[]) => ArrayLike<number>} Loop */

const PEER = 'cluster-key-slot';
const CAREFUL = 'careful JavaScript';

/** @param {import('./support/scale.mjs').Scale} scale */
export async function* run(scale) {
  yield await single(scale);
  yield await manyStrings(scale);
  yield await manyBuffers(scale);
}

/** @param {import('./support/scale.mjs').Scale} scale */
async function single(scale) {
  const count = scale.size(20_000, 300);
  const rows = [];
  for (const { shape, prepare, name } of strings(count, [16, 33, 80])) {
    const times = await measure([oneByOne, peerOneByOne, carefulOneByOne], prepare, scale);
    const target = shape.tagged ? 4 : 2;
    rows.push(...compared(`keySlot, ${name}`, times, count, { peer: target }));
  }
  return {
    title: 'keySlot, one string per call',
    note: `${inWords(count)} keys in a loop, time per key. ${ROPES}`,
    checked: 'the slots of all keys, of 3 contenders',
    heading: TIMES_AS_FAST,
    rows,
  };
}

/** @param {import('./support/scale.mjs').Scale} scale */
async function manyStrings(scale) {
  const count = scale.size(100_000, 500);
  const rows = [];
  for (const { prepare, name } of strings(count, [33])) {
    const times = await measure([keySlots, peerOneByOne, carefulOneByOne], prepare, scale);
    rows.push(...compared(`keySlots, ${name}`, times, count, { peer: 4, careful: 1 }));
  }
  return {
    title: 'keySlots, strings',
    note: `${inWords(count)} keys in one call, the others in a loop; time per key. ${ROPES}`,
    checked: 'the slots of all keys, of 3 contenders',
    heading: TIMES_AS_FAST,
    rows,
  };
}

/** @param {import('./support/scale.mjs').Scale} scale */
async function manyBuffers(scale) {
  const count = scale.size(100_000, 500);
  const rows = [];
  for (const bytes of [16, 32, 64]) {
    const keys = buffers({ bytes }, count);
    const loops = [keySlots, peerBuffersOneByOne, carefulBuffersOneByOne];
    const times = await measure(loops, () => keys, scale);
    rows.push(...compared(`keySlots, Buffers of ${bytes} bytes`, times, count, { peer: 3 }));
  }
  return {
    title: 'keySlots, Buffers',
    note: `${inWords(count)} Buffers in one call, the others in a loop; time per key.`,
    checked: 'the slots of all keys, of 3 contenders',
    heading: TIMES_AS_FAST,
    rows,
  };
}

const ROPES =
  'A flat string is as it comes from a socket or a file; a rope was put together from parts and ' +
  'not read yet, so each contender gets new ones in each round.';

/**
 * Every shape of strings, flat and as ropes.
 * @param {number} count
 * @param {number[]} lengths
 */
function* strings(count, lengths) {
  /** @type {Shape[]} */
  const shapes = [...lengths.map((bytes) => ({ bytes })), { bytes: 49, tagged: true }];
  for (const shape of shapes) {
    const name = `${shape.bytes} bytes, ${shape.tagged ? 'tagged' : 'plain'}`;
    const keys = flatKeys(shape, count);
    yield { shape, name: `${name}, flat`, prepare: () => keys };
    yield { shape, name: `${name}, rope`, prepare: () => ropes(shape, count) };
  }
}

/**
 * @param {Loop[]} loops
 * @param {() => (string | Buffer)[]} prepare
 * @param {import('./support/scale.mjs').Scale} scale
 */
async function measure(loops, prepare, scale) {
  const [ours, ...others] = loops.map((work) => Array.from(work(prepare())));
  for (const theirs of others) assert.deepEqual(theirs, ours);
  const contenders = loops.map((work) => ({ name: work.name, work, prepare }));
  return inTurns(contenders, { rounds: scale.rounds(21), warmups: 3 });
}

/**
 * @param {string} work
 * @param {number[][]} times of us, of the package, and of plain JavaScript
 * @param {number} per
 * @param {{ peer: number, careful?: number }} targets
 */
function compared(work, [ours = [], peer = [], careful = []], per, targets) {
  const aim = targets.careful === undefined ? {} : { target: targets.careful };
  return [
    timesAsFast({ work, ours, against: PEER, theirs: peer, per, target: targets.peer }),
    timesAsFast({ work, ours, against: CAREFUL, theirs: careful, per, ...aim }),
  ];
}
