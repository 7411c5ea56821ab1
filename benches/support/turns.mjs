import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inRounds } from './rounds.mjs';

// For contenders that share a heap: what one leaves would be collected in the time of another.
// Collections by hand would otherwise count as time in which a function was not used, and compiled
// code of a contender that waits for its turn would be dropped.
setFlagsFromString('--no-flush-bytecode');
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

/**
 * One way to do some work in this process.
 * @template [Input=any]
 * @typedef {object} Contender
 * @property {string} name
 * @property {(input: Input) => unknown} work what is timed; may be asynchronous
 * @property {() => Input} [prepare] what is not timed: gives the input of `work`
 */

/**
 * Milliseconds per round of each contender, which take turns in this process.
 * @param {Contender[]} contenders
 * @param {import('./rounds.mjs').Rounds} options
 */
export function inTurns(contenders, options) {
  return inRounds(contenders.length, options, (at) =>
    timed(/** @type {Contender} */ (contenders[at])),
  );
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
