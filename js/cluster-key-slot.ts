/**
 * The function that the package `cluster-key-slot` exports, with the server's answers.
 *
 * It differs where that package differs from `CLUSTER KEYSLOT`: for keys in which an empty tag
 * `{}` comes before another `}`, and for strings with half of a surrogate pair, which ioredis
 * sends as U+FFFD. What is neither a string nor bytes is a `TypeError`, never a slot.
 *
 * @packageDocumentation
 * @module redslot-wasm/cluster-key-slot
 */

import { type Key, keySlot, keySlots } from './index.js';

/**
 * The hash slot of a key, 0 to 16383.
 *
 * @throws A `TypeError` when `key` is neither a string nor bytes.
 */
function calculateSlot(key: Key): number {
  return keySlot(key);
}

/**
 * The hash slot that all keys are in, or -1 when they are in more than one.
 *
 * @throws A `TypeError` when there is no key, or one of them is neither a string nor bytes.
 */
export function generateMulti(keys: readonly Key[]): number {
  const slots = keySlots(keys);
  const [first] = slots;
  if (first === undefined) throw new TypeError('keys is empty; a slot needs at least one key');
  return slots.every((slot) => slot === first) ? first : -1;
}

calculateSlot.generateMulti = generateMulti;

export default calculateSlot;
