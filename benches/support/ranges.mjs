import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import clusterKeySlot from 'cluster-key-slot';
import { carefulSlot } from './careful.mjs';

export const SLOTS = 16_384;

/**
 * An entry of a CLUSTER SLOTS reply without replicas.
 * @typedef {[start: number, end: number, primary: [host: string, port: number, id: string]]} Entry
 */

/**
 * All slots in `ranges` ranges of about the same length, dealt out to `primaries` in turn.
 * @param {{ primaries: number, ranges: number }} shape
 * @returns {Entry[]}
 */
export function slotsReply({ primaries, ranges }) {
  const nodes = Array.from({ length: primaries }, (_, at) => nodeAt(at));
  const start = (/** @type {number} */ at) => Math.floor((at * SLOTS) / ranges);
  return Array.from({ length: ranges }, (_, at) => {
    const node = /** @type {Entry[2]} */ (nodes[at % primaries]);
    return [start(at), start(at + 1) - 1, [...node]];
  });
}

/**
 * @param {number} at
 * @returns {Entry[2]}
 */
function nodeAt(at) {
  const id = createHash('sha1').update(String(at)).digest('hex');
  return [`10.0.${at >> 8}.${at & 255}`, 6379, id];
}

/**
 * The recipe in circulation: for each range a pass over all keys, each of them hashed again. The
 * indices per range, because the recipe sends a pipeline for each.
 * @param {string[]} keys
 * @param {Entry[]} entries
 */
export function byRanges(keys, entries) {
  return entries.map(([start, end]) => {
    /** @type {number[]} */
    const indices = [];
    for (let at = 0; at < keys.length; at++) {
      const slot = clusterKeySlot(/** @type {string} */ (keys[at]));
      if (slot >= start && slot <= end) indices.push(at);
    }
    return indices;
  });
}

/**
 * What a careful author writes: a table from slot to primary, and one pass over the keys. The
 * indices per primary, by its address.
 * @param {string[]} keys
 * @param {Entry[]} entries
 */
export function byTable(keys, entries) {
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  /** @type {number[][]} */
  const table = new Array(SLOTS);
  for (const [start, end, [host, port]] of entries) {
    const address = `${host}:${port}`;
    const group = groups.get(address) ?? [];
    groups.set(address, group);
    table.fill(group, start, end + 1);
  }
  for (let at = 0; at < keys.length; at++) {
    /** @type {number[]} */ (table[carefulSlot(/** @type {string} */ (keys[at]))]).push(at);
  }
  return groups;
}

/**
 * Compares the groups of a map with those of the table.
 * @param {import('redslot-wasm').SlotMap} map
 * @param {string[]} keys
 * @param {Entry[]} reply
 */
export function checkGroups(map, keys, reply) {
  const { groups, unowned } = map.partition(keys);
  assert.equal(unowned.length, 0);
  const found = groups.map(({ node, indices }) => [node.endpoint, Array.from(indices)]);
  const expected = [...byTable(keys, reply)].filter(([, indices]) => indices.length > 0);
  assert.deepEqual(new Map(/** @type {[string, number[]][]} */ (found)), new Map(expected));
}

/**
 * `count` of the entries, evenly spaced.
 * @param {Entry[]} entries
 * @param {number} count
 */
export function sampleOf(entries, count) {
  if (entries.length <= count) return entries;
  return Array.from(
    { length: count },
    (_, at) => /** @type {Entry} */ (entries[Math.floor((at * entries.length) / count)]),
  );
}
