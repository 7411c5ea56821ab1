import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Collections by hand would otherwise count as time in which a function was not used, and compiled
// code of a contender that waits for its turn would be dropped.
setFlagsFromString('--no-flush-bytecode');
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

/**
 * One way to do some work.
 * @template [Input=any]
 * @typedef {object} Contender
 * @property {string} name
 * @property {(input: Input) => unknown} work what is timed; may be asynchronous
 * @property {() => Input} [prepare] what is not timed: gives the input of `work`
 */

/** @typedef {{ median: number, low: number, high: number }} Spread the median and the quartiles */

/**
 * Milliseconds per round of each contender. They take turns, in an order that changes from round to
 * round, so that none always runs in the wake of the same other one.
 * @param {Contender[]} contenders
 * @param {{ rounds: number, warmups: number }} options `warmups` are rounds before, not measured; a
 *   long work is warm after it was checked
 * @returns {Promise<number[][]>}
 */
export async function inTurns(contenders, { rounds, warmups }) {
  const times = contenders.map(() => /** @type {number[]} */ ([]));
  for (let round = -warmups; round < rounds; round++) {
    for (const at of order(contenders.length, round + warmups)) {
      const time = await timed(/** @type {Contender} */ (contenders[at]));
      if (round >= 0) times[at]?.push(time);
    }
  }
  return times;
}

/** @param {Contender} contender */
async function timed({ work, prepare }) {
  const input = prepare?.();
  collectGarbage();
  const begin = performance.now();
  const result = work(input);
  if (result instanceof Promise) await result;
  return performance.now() - begin;
}

/**
 * The numbers below `count`, from another one on in each round and backwards in every second.
 * @param {number} count
 * @param {number} round
 */
function order(count, round) {
  const first = (round >> 1) % count;
  const forward = Array.from({ length: count }, (_, i) => (first + i) % count);
  return round % 2 === 0 ? forward : forward.reverse();
}

/**
 * @param {number[]} values
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => {
    const place = part * (sorted.length - 1);
    const low = /** @type {number} */ (sorted[Math.floor(place)]);
    const high = /** @type {number} */ (sorted[Math.ceil(place)]);
    return low + (high - low) * (place % 1);
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/**
 * What `some` take of the time of `others`, round by round.
 * @param {number[]} some
 * @param {number[]} others
 */
export function ratioOf(some, others) {
  return spreadOf(some.map((time, round) => time / /** @type {number} */ (others[round])));
}
