import { ratioOf, spreadOf } from './spread.mjs';

/**
 * One table of the report.
 * @typedef {object} Section
 * @property {string} title
 * @property {string} note how it was measured
 * @property {string} checked what was compared before anything was timed
 * @property {string[]} heading
 * @property {string[][]} rows
 * @property {{ file: string, svg: string, alt: string }[]} [plots]
 */

/**
 * @typedef {object} Comparison
 * @property {string} work
 * @property {number[]} ours milliseconds, round by round
 * @property {string} against
 * @property {number[]} theirs
 * @property {number} [per] how many of what the time is told of; the whole when absent
 * @property {number} [target]
 */

export const HEADING = ['work', 'time', 'against', 'its time'];
const ENDING = ['quartiles', 'target', 'reached'];

/** What a ratio says: how many times as fast, or what part of the time. */
export const TIMES_AS_FAST = [...HEADING, 'times as fast', ...ENDING];
export const PART_OF_TIME = [...HEADING, 'part of its time', ...ENDING];

/** @param {Comparison} comparison */
export function timesAsFast({ target, ...comparison }) {
  const ratio = ratioOf(comparison.theirs, comparison.ours);
  const aim =
    target === undefined
      ? null
      : { text: `at least ${number(target)}`, reached: ratio.median >= target };
  return row(comparison, ratio, aim);
}

/** @param {Comparison} comparison */
export function partOfTime({ target, ...comparison }) {
  const ratio = ratioOf(comparison.ours, comparison.theirs);
  const aim =
    target === undefined
      ? null
      : { text: `at most ${number(target)}`, reached: ratio.median <= target };
  return row(comparison, ratio, aim);
}

/**
 * @param {Comparison} comparison
 * @param {import('./spread.mjs').Spread} ratio
 * @param {{ text: string, reached: boolean } | null} aim
 */
function row({ work, ours, against, theirs, per }, { median, low, high }, aim) {
  return [
    work,
    time(spreadOf(ours).median, per),
    against,
    time(spreadOf(theirs).median, per),
    number(median),
    `${number(low)} to ${number(high)}`,
    aim?.text ?? '',
    aim ? verdict(aim.reached) : '',
  ];
}

/** @param {boolean} reached */
export function verdict(reached) {
  return reached ? 'yes' : 'no';
}

/**
 * @param {number} milliseconds
 * @param {number} [per]
 */
export function time(milliseconds, per) {
  if (per !== undefined) return `${number((milliseconds * 1e6) / per)} ns`;
  return milliseconds < 1 ? `${number(milliseconds * 1000)} µs` : `${number(milliseconds)} ms`;
}

/**
 * Three digits that count, and all of those before the point.
 * @param {number} value
 */
export function number(value) {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return Number(value.toFixed(digits)).toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** @param {number} count */
export function inWords(count) {
  return count.toLocaleString('en-US');
}
