import { computed, effect, signal } from '@preact/signals';
import { type Key, keySlots, type Routing } from 'redslot-wasm';
import type { Line } from '../lines';
import { chosenLine } from './choice';
import { fields } from './fields';
import { topology } from './topology';

/** All lines of the panel Keys, read. */
export interface Batch {
  readonly lines: readonly Line[];
  /** The keys of all lines, one after another. */
  readonly keys: readonly Key[];
  /** How many of them each line has, and where they begin. */
  readonly counts: Uint32Array;
  readonly starts: Uint32Array;
  readonly slots: Uint16Array;
  readonly ms: number;
}

const EMPTY: Batch = {
  lines: [],
  keys: [],
  counts: new Uint32Array(0),
  starts: new Uint32Array(0),
  slots: new Uint16Array(0),
  ms: 0,
};

const PAUSE_MS = 80;

export const batch = signal<Batch>(EMPTY);
/** How many lines are read so far, while reading takes its time. */
export const progress = signal<{ done: number; all: number } | null>(null);

/** Keys per slot, null without keys. */
export const keyCounts = computed(() => {
  const { slots } = batch.value;
  if (slots.length === 0) return null;
  const counts = new Uint32Array(16384);
  for (const slot of slots) counts[slot] = (counts[slot] as number) + 1;
  return counts;
});

/** Where the commands go, null without a topology or keys. */
export const routing = computed<Routing | null>(() => {
  const { map } = topology.value;
  const { keys, counts, lines } = batch.value;
  return map === null || lines.length === 0 ? null : map.route(keys, counts);
});

/** Keys per primary, by its index, and those that have none. */
export const shares = computed(() => {
  const { map } = topology.value;
  const { keys } = batch.value;
  if (map === null || keys.length === 0) return null;
  const { groups, unowned } = map.partition(keys);
  const counts = new Map(groups.map(({ node, indices }) => [node, indices.length]));
  return {
    primaries: map.primaries.map((node) => counts.get(node) ?? 0),
    unowned: unowned.length,
  };
});

/** Slots with more than one key, the fullest first. */
export const collisions = computed(() => {
  const counts = keyCounts.value;
  if (counts === null) return [];
  const found: { slot: number; keys: number }[] = [];
  for (const [slot, keys] of counts.entries()) if (keys > 1) found.push({ slot, keys });
  return found.sort((one, other) => other.keys - one.keys || one.slot - other.slot);
});

/** Reads the lines whenever they have changed, a while after the last keystroke. */
export function followKeys(): void {
  let turn = 0;
  effect(() => {
    const text = fields.keys.value;
    const mode = fields.keyMode.value;
    const mine = ++turn;
    const pause = text.length > 10_000 ? PAUSE_MS : 0;
    setTimeout(() => {
      if (mine === turn) void refresh(text, mode, () => mine === turn);
    }, pause);
  });
}

async function refresh(
  text: string,
  mode: typeof fields.keyMode.value,
  current: () => boolean,
): Promise<void> {
  if (text.trim() === '') {
    batch.value = EMPTY;
    chosenLine.value = null;
    progress.value = null;
    return;
  }
  const { readLines } = await import('../lines');
  const started = performance.now();
  const lines = await readLines(text, mode, (done, all) => {
    if (current()) progress.value = { done, all };
    return current();
  });
  if (lines === null || !current()) return;
  const read = batchOf(lines, started);
  batch.value = read;
  chosenLine.value = firstCrossing(read);
  progress.value = null;
}

function batchOf(lines: readonly Line[], started: number): Batch {
  const keys: Key[] = [];
  const counts = new Uint32Array(lines.length);
  const starts = new Uint32Array(lines.length);
  for (const [at, line] of lines.entries()) {
    starts[at] = keys.length;
    counts[at] = line.keys.length;
    for (const key of line.keys) keys.push(key);
  }
  const slots = keySlots(keys);
  return { lines, keys, counts, starts, slots, ms: performance.now() - started };
}

/** The first line with keys in several slots: the one that people come to ask about. */
function firstCrossing({ slots, starts, counts }: Batch): number | null {
  const at = counts.findIndex((count, line) => {
    const start = starts[line] as number;
    return slots.subarray(start, start + count).some((slot) => slot !== slots[start]);
  });
  return at < 0 ? null : at;
}
