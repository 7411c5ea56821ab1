/**
 * The same data in every shape in which a contender takes it, made before anything is timed.
 * @typedef {object} Pairs
 * @property {string[]} keys of 30 bytes
 * @property {string[]} values of 100 bytes
 * @property {[key: string, value: string][]} entries as redslot's `mset` and `load` take them
 * @property {{ key: string, value: string }[]} records as valkey-glide's `mset` takes them
 */

/**
 * @param {number} count
 * @param {string} [prefix] what each key begins with
 * @returns {Pairs}
 */
export function pairsOf(count, prefix = '') {
  const flat = (/** @type {string} */ text) => Buffer.from(text).toString();
  const keys = Array.from({ length: count }, (_, at) =>
    flat(`${prefix}bench:key:${at}:`.padEnd(30, '.')),
  );
  const values = keys.map((_, at) => flat(`value of ${at}:`.padEnd(100, 'v')));
  const value = (/** @type {number} */ at) => /** @type {string} */ (values[at]);
  return {
    keys,
    values,
    entries: keys.map((key, at) => [key, value(at)]),
    records: keys.map((key, at) => ({ key, value: value(at) })),
  };
}

/**
 * @param {Pairs} pairs
 * @param {number} size
 * @returns {Pairs[]}
 */
export function batchesOf({ keys, values, entries, records }, size) {
  const batches = [];
  for (let from = 0; from < keys.length; from += size) {
    const to = from + size;
    batches.push({
      keys: keys.slice(from, to),
      values: values.slice(from, to),
      entries: entries.slice(from, to),
      records: records.slice(from, to),
    });
  }
  return batches;
}

/**
 * One batch after the other, as a program sends them that has no more data yet.
 * @template Result
 * @param {Pairs[]} batches
 * @param {(batch: Pairs) => Promise<Result>} send
 */
export async function inBatches(batches, send) {
  const results = [];
  for (const batch of batches) results.push(await send(batch));
  return results;
}
