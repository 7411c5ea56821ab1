import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inRounds } from './rounds.mjs';

// For contenders that share a heap: what one leaves would be collected in the time of another. Only
// the young generation is: a full collection also drops the compiled code of whoever waits for its
// turn, and no application has one before each of its calls.
setFlagsFromString('--expose-gc');
/** @type {(options: { type: 'minor' }) => void} */
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
  collectGarbage({ type: 'minor' });
  const begin = performance.now();
  const result = work(input);
  if (result instanceof Promise) await result;
  return performance.now() - begin;
}
