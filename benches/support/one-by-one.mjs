/**
 * One call per key.
 *
 * The same loop again and again, and not one with the function as its argument: V8 compiles each
 * for its one function, as it does in a program that uses one.
 */
import clusterKeySlot from 'cluster-key-slot';
import { keySlot } from 'redslot-wasm';
import { carefulSlot, carefulSlotOfBuffer } from './careful.mjs';

/** @param {string[]} keys */
export function oneByOne(keys) {
  const slots = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) slots[at] = keySlot(/** @type {string} */ (keys[at]));
  return slots;
}

/** @param {string[]} keys */
export function peerOneByOne(keys) {
  const slots = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    slots[at] = clusterKeySlot(/** @type {string} */ (keys[at]));
  }
  return slots;
}

/** @param {string[]} keys */
export function carefulOneByOne(keys) {
  const slots = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    slots[at] = carefulSlot(/** @type {string} */ (keys[at]));
  }
  return slots;
}

/** @param {Buffer[]} keys */
export function peerBuffersOneByOne(keys) {
  const slots = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    slots[at] = clusterKeySlot(/** @type {Buffer} */ (keys[at]));
  }
  return slots;
}

/** @param {Buffer[]} keys */
export function carefulBuffersOneByOne(keys) {
  const slots = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    slots[at] = carefulSlotOfBuffer(/** @type {Buffer} */ (keys[at]));
  }
  return slots;
}
