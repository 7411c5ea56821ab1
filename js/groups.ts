import { type Core, core, crossing, EXTRA_GROUPS } from './wasm.js';

/** Which primary serves each slot, 65535 for none, and how many primaries there are. @internal */
export interface Owners {
  readonly table: Uint16Array;
  readonly primaries: number;
}

/** What {@link routeRuns} gives. @internal */
export interface RoutedRuns {
  /** The slot of each command's first key, -1 without keys. */
  readonly firsts: Int32Array;
  /** Command indices: one array per primary, then keyless, unowned, cross-slot. */
  readonly groups: Uint32Array[];
}

const NOTHING = new Uint32Array(0);

/** Groups of one chunk, as the kernel leaves them: all indices, and where each group ends. */
interface Chunk {
  readonly order: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * The indices of `slots` by owner: one array per primary, then the unowned ones.
 * @internal
 */
export function partitionSlots(slots: Uint16Array, owners: Owners): Uint32Array[] {
  const chunks: Chunk[] = [];
  const at = core();
  at.owners.set(owners.table);
  for (let from = 0; from < slots.length; from += at.slots.length) {
    const chunk = slots.subarray(from, from + at.slots.length);
    at.slots.set(chunk);
    const groups = crossing(at, (calls) => calls.partition(chunk.length, from, owners.primaries));
    chunks.push({ order: at.order.slice(0, chunk.length), ends: at.ends.slice(0, groups) });
  }
  return gather(chunks, owners.primaries + 1);
}

/**
 * Routes commands whose keys' slots stand one after another in `slots`, `counts[i]` of them for
 * command `i`.
 * @internal
 */
export function routeRuns(slots: Uint16Array, counts: Uint32Array, owners: Owners): RoutedRuns {
  const chunks: Chunk[] = [];
  const firsts = new Int32Array(counts.length);
  const at = core();
  at.owners.set(owners.table);
  let from = 0;
  let key = 0;
  while (from < counts.length) {
    const { commands, keys } = load(slots, counts, from, key, at);
    const packed = Math.min(keys, at.slots.length);
    const begin = from;
    const groups = crossing(at, (calls) =>
      calls.route_many(packed, commands, begin, owners.primaries),
    );
    firsts.set(at.firsts.subarray(0, commands), from);
    chunks.push({ order: at.order.slice(0, commands), ends: at.ends.slice(0, groups) });
    from += commands;
    key += keys;
  }
  return { firsts, groups: gather(chunks, owners.primaries + EXTRA_GROUPS) };
}

/** Loads the commands from `from` on, whose keys begin at `key`, as many as one chunk takes. */
function load(slots: Uint16Array, counts: Uint32Array, from: number, key: number, at: Core) {
  const room = at.slots.length;
  const most = Math.min(counts.length - from, at.counts.length);
  let keys = 0;
  let commands = 0;
  for (; commands < most; commands++) {
    const count = counts[from + commands] as number;
    if (keys + count > room) break;
    at.counts[commands] = count;
    keys += count;
  }
  if (commands > 0) at.slots.set(slots.subarray(key, key + keys));
  else return loadGiant(slots.subarray(key, key + (counts[from] as number)), at);
  return { commands, keys };
}

/**
 * Loads one command with more keys than a chunk takes. For its verdict its first slot and one that
 * differs, if any does, stand for all of them.
 */
function loadGiant(run: Uint16Array, at: Core) {
  const first = run[0] as number;
  const other = run.find((slot) => slot !== first) ?? first;
  at.slots.set([first, other]);
  at.counts[0] = 2;
  return { commands: 1, keys: run.length };
}

/** Joins the groups of several chunks, in the order of the chunks. */
function gather(chunks: readonly Chunk[], groups: number): Uint32Array[] {
  const joined: Uint32Array[] = [];
  for (let group = 0; group < groups; group++) {
    let size = 0;
    for (const { ends } of chunks) size += (ends[group] as number) - startOf(ends, group);
    joined.push(size === 0 ? NOTHING : join(chunks, group, size));
  }
  return joined;
}

function join(chunks: readonly Chunk[], group: number, size: number): Uint32Array {
  const indices = new Uint32Array(size);
  let next = 0;
  for (const { order, ends } of chunks) {
    const end = ends[group] as number;
    // Element by element: with many primaries the pieces are too short for `set` to pay.
    for (let at = startOf(ends, group); at < end; at++) indices[next++] = order[at] as number;
  }
  return indices;
}

function startOf(ends: Uint32Array, group: number): number {
  return group === 0 ? 0 : (ends[group - 1] as number);
}
