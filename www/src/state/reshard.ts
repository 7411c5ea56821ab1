import { computed } from '@preact/signals';
import { type Move, type Primary, SlotMap, type SlotRange } from 'redslot-wasm';
import { slotFrom } from '../typed-slot';
import { fields } from './fields';
import { keyCounts } from './keys';
import { nameOf, owners, topology } from './topology';

/** The range that is to move, null when what is typed is none. */
export const reshardRange = computed<SlotRange | null>(() => {
  const start = slotFrom(fields.reshardFrom.value);
  const end = slotFrom(fields.reshardTo.value);
  return start === null || end === null || start > end ? null : [start, end];
});

/** The primary that gets the range: the chosen one, else the last. */
export const reshardTarget = computed<Primary | null>(() => {
  const primaries = topology.value.map?.primaries ?? [];
  const chosen = primaries.find((primary) => nameOf(primary) === fields.reshardTarget.value);
  return chosen ?? primaries.at(-1) ?? null;
});

/** The topology after the resharding. */
export const mapAfter = computed<SlotMap | null>(() => {
  const { map } = topology.value;
  const range = reshardRange.value;
  const target = reshardTarget.value;
  if (map === null || range === null || target === null) return null;
  const primaries = map.primaries.map((primary) => ({
    ...primary,
    ranges: primary === target ? added(primary.ranges, range) : without(primary.ranges, range),
  }));
  return SlotMap.fromJSON({ primaries: primaries.filter(({ ranges }) => ranges.length > 0) });
});

/** The owners as the map shows them: those after the resharding once it is finished. */
export const shownOwners = computed(() => {
  const finished = fields.panel.value === 'reshard' && fields.stage.value === 'finished';
  const target = topology.value.map?.primaries.indexOf(reshardTarget.value as Primary) ?? -1;
  if (!finished || target < 0) return owners.value;
  const table = owners.value.slice();
  for (const { start, end } of moves.value) table.fill(target, start, end + 1);
  return table;
});

export const moves = computed<readonly Move[]>(() => {
  const { map } = topology.value;
  return map && mapAfter.value ? map.diff(mapAfter.value) : [];
});

export const movingSlots = computed(() =>
  moves.value.reduce((sum, { start, end }) => sum + end - start + 1, 0),
);

export const movingKeys = computed(() => {
  const counts = keyCounts.value;
  if (counts === null) return 0;
  let keys = 0;
  for (const { start, end } of moves.value) {
    for (let slot = start; slot <= end; slot++) keys += counts[slot] as number;
  }
  return keys;
});

function without(ranges: readonly SlotRange[], [start, end]: SlotRange): SlotRange[] {
  return ranges.flatMap(([from, to]) => {
    const pieces: SlotRange[] = [
      [from, Math.min(to, start - 1)],
      [Math.max(from, end + 1), to],
    ];
    return pieces.filter(([first, last]) => first <= last);
  });
}

/** Ranges with one more, none touching another. */
function added(ranges: readonly SlotRange[], range: SlotRange): SlotRange[] {
  const sorted = [...without(ranges, range), range].sort((one, other) => one[0] - other[0]);
  const joined: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = joined.at(-1);
    if (last && last[1] + 1 === start) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}
