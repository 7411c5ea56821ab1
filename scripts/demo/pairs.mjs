import { createHash } from 'node:crypto';

export const TTL_SECONDS = 600;

/** @typedef {{ key: string, value: Buffer }} Pair */

/**
 * Keys over all slots, with values of 32 bytes that are no valid text and differ from key to key.
 * @param {string} prefix
 * @param {number} count
 * @returns {Pair[]}
 */
export function makePairs(prefix, count) {
  return Array.from({ length: count }, (_, i) => {
    const key = `${prefix}:${i + 1}`;
    return { key, value: createHash('sha256').update(key).digest() };
  });
}
