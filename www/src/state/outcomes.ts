import { computed } from '@preact/signals';
import type { Key } from 'redslot-wasm';
import { shownKey } from '../bytes';
import { fields } from './fields';
import { batch, routing } from './keys';
import { moves } from './reshard';
import { topology } from './topology';

/** What a line is answered, in the order in which a table lists them. */
export const OUTCOMES = ['ok', 'ask', 'moved', 'tryagain', 'crossslot', 'down'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** For each slot, whether it is on the move, 1, or about to be served at last, 2. */
const moving = computed(() => {
  const table = new Uint8Array(16384);
  for (const { start, end, from } of moves.value) table.fill(from === null ? 2 : 1, start, end + 1);
  return table;
});

/** The keys, by index, that have moved so far: as many as the slider says. */
const goneKeys = computed(() => {
  const { slots, keys } = batch.value;
  const leaving = [...slots.keys()].filter((at) => moving.value[slots[at] as number] === 1);
  const names = [...new Set(leaving.map((at) => keys[at]))];
  names.sort((one, other) => orderOf(one) - orderOf(other));
  const gone = new Set(
    names.slice(0, Math.round((names.length * Number(fields.moved.value)) / 100)),
  );
  return (at: number) => gone.has(keys[at] ?? '');
});

/** Neighbours in the paste do not move together, but a paste always moves in the same order. */
function orderOf(key: Key | undefined): number {
  let mixed = 7;
  for (const char of shownKey(key as string | Uint8Array)) {
    mixed = Math.imul(mixed ^ (char.codePointAt(0) ?? 0), 2654435761) >>> 0;
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}

/**
 * What each line is answered by the primary that the map from before names. The server refuses keys
 * in several slots before it looks where they are.
 */
export const outcomes = computed<readonly Outcome[]>(() => {
  const route = routing.value;
  if (route === null) return [];
  const crossing = new Set(route.crossSlot);
  return batch.value.lines.map((_, line) => {
    const slot = route.slots[line] as number;
    if (crossing.has(line)) return 'crossslot';
    return slot < 0 ? 'ok' : outcomeIn(slot, line);
  });
});

function outcomeIn(slot: number, line: number): Outcome {
  const state = moving.value[slot];
  const finished = fields.stage.value === 'finished';
  if (finished && state !== 0) return 'moved';
  if (topology.value.map?.ownerOf(slot) === null) return 'down';
  if (state === 0 || fields.stage.value === 'stable') return 'ok';
  const { starts, counts } = batch.value;
  const start = starts[line] as number;
  const keys = counts[line] as number;
  let gone = 0;
  for (let at = start; at < start + keys; at++) if (goneKeys.value(at)) gone++;
  if (gone === 0) return 'ok';
  return gone === keys ? 'ask' : 'tryagain';
}

export const outcomeCounts = computed(() => {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes.value) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
});
