/**
 * @typedef {object} Rounds
 * @property {number} rounds
 * @property {number} warmups rounds before, not measured; a long work is warm after it was checked
 */

/**
 * Milliseconds per round of each of `count` contenders. They take turns, in an order that changes
 * from round to round, so that none always runs in the wake of the same other one.
 * @param {number} count
 * @param {Rounds} options
 * @param {(at: number) => Promise<number>} time runs one contender once
 * @returns {Promise<number[][]>}
 */
export async function inRounds(count, { rounds, warmups }, time) {
  const times = Array.from({ length: count }, () => /** @type {number[]} */ ([]));
  for (let round = -warmups; round < rounds; round++) {
    for (const at of order(count, round + warmups)) {
      const milliseconds = await time(at);
      if (round >= 0) times[at]?.push(milliseconds);
    }
  }
  return times;
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
