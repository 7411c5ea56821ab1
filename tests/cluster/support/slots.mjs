/** @typedef {import('./node.mjs').ClusterNode} ClusterNode */
/** @typedef {[start: number, end: number]} SlotRange */

const SLOT_COUNT = 16384;
const MIGRATE_TIMEOUT = 5000;
const MIGRATE_BATCH = 500;

/**
 * The split that redis-cli makes: for three primaries 0-5460, 5461-10922, 10923-16383.
 * @param {number} primaries
 * @returns {SlotRange[][]}
 */
export function evenRanges(primaries) {
  const share = SLOT_COUNT / primaries;
  return Array.from({ length: primaries }, (_, i) => {
    const start = i === 0 ? 0 : Math.round(i * share - 1) + 1;
    const end = i === primaries - 1 ? SLOT_COUNT - 1 : Math.round((i + 1) * share - 1);
    return [[start, end]];
  });
}

/** @param {SlotRange[][]} ranges */
export function countSlots(ranges) {
  return ranges.flat().reduce((sum, [start, end]) => sum + end - start + 1, 0);
}

/**
 * @param {ClusterNode} node
 * @param {SlotRange[]} ranges
 */
export async function addSlots(node, ranges) {
  if (ranges.length === 0) return;
  try {
    await node.ask('CLUSTER', 'ADDSLOTSRANGE', ...ranges.flat());
  } catch {
    // Redis before 7 knows only single slots.
    const slots = ranges.flatMap(([start, end]) =>
      Array.from({ length: end - start + 1 }, (_, i) => start + i),
    );
    await node.ask('CLUSTER', 'ADDSLOTS', ...slots);
  }
}

/**
 * First step of a migration: from here on the source answers ASK for keys it does not have.
 * @param {number} slot
 * @param {ClusterNode} source
 * @param {ClusterNode} target
 */
export async function openSlot(slot, source, target) {
  await target.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.id);
  await source.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
}

/**
 * Second step: moves the given keys, or all keys of the slot.
 * @param {number} slot
 * @param {ClusterNode} source
 * @param {ClusterNode} target
 * @param {(string | Buffer)[]} [keys]
 */
export async function moveKeys(slot, source, target, keys) {
  for (;;) {
    const batch = keys ?? (await keysInSlot(source, slot));
    if (batch.length === 0) return;
    const { host, port } = target;
    await source.ask('MIGRATE', host, port, '', 0, MIGRATE_TIMEOUT, 'KEYS', ...batch);
    if (keys) return;
  }
}

/**
 * @param {ClusterNode} node
 * @param {number} slot
 * @returns {Promise<Buffer[]>}
 */
async function keysInSlot(node, slot) {
  const reply = await node.control.callBuffer('CLUSTER', 'GETKEYSINSLOT', slot, MIGRATE_BATCH);
  return /** @type {Buffer[]} */ (reply);
}

/**
 * Last step: the target owns the slot. It must hear of it first, or nobody would for a moment.
 * @param {number} slot
 * @param {ClusterNode} source
 * @param {ClusterNode} target
 * @param {ClusterNode[]} [others] primaries that shall know at once instead of by gossip
 */
export async function closeSlot(slot, source, target, others = []) {
  for (const node of [target, source, ...others]) {
    await node.ask('CLUSTER', 'SETSLOT', slot, 'NODE', target.id).catch((error) => {
      // A primary whose last slot was taken may by now have become a replica of the new owner.
      if (node !== source || !/only with masters/.test(String(error))) throw error;
    });
  }
}
