/**
 * How much a part does, and whom it tells.
 * @typedef {object} Scale
 * @property {(full: number, quick: number) => number} size
 * @property {(full: number) => number} rounds
 * @property {(full: number[]) => number[]} counts
 * @property {(text: string) => void} tell says how far a long piece of work is
 */

/**
 * @param {boolean} quick whether only to show that all works
 * @param {(text: string) => void} tell
 * @returns {Scale}
 */
export function scaleOf(quick, tell) {
  return {
    size: (full, small) => (quick ? small : full),
    rounds: (full) => (quick ? 1 : full),
    counts: (full) => (quick ? full.slice(0, 2) : full),
    tell,
  };
}
