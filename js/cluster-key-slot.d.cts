import type { Key } from './index.js';

/**
 * The hash slot of a key, 0 to 16383.
 *
 * @throws A `TypeError` when `key` is neither a string nor bytes.
 */
declare function calculateSlot(key: Key): number;

declare namespace calculateSlot {
  /**
   * The hash slot that all keys are in, or -1 when they are in more than one.
   *
   * @throws A `TypeError` when there is no key, or one of them is neither a string nor bytes.
   */
  function generateMulti(keys: readonly Key[]): number;
}

export = calculateSlot;
