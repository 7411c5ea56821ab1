/** @typedef {{ median: number, low: number, high: number }} Spread the median and the quartiles */

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
