import { chosenLine } from './choice';
import { fields } from './fields';
import { batch } from './keys';

/** Takes a slot that was clicked on the map to the open panel. */
export function pickSlot(slot: number): void {
  if (fields.panel.value === 'tag') fields.tagSlot.value = String(slot);
  if (fields.panel.value === 'keys') chosenLine.value = lineIn(slot) ?? chosenLine.value;
}

/** Whether dragging over the map means a range. */
export function takesRange(): boolean {
  return fields.panel.value === 'reshard';
}

export function pickRange(one: number, other: number): void {
  fields.reshardFrom.value = String(Math.min(one, other));
  fields.reshardTo.value = String(Math.max(one, other));
}

/** The first line with a key in a slot, after the chosen one if that is in it too. */
function lineIn(slot: number): number | null {
  const { slots, starts, counts } = batch.value;
  const lines = starts.length;
  const first = (chosenLine.value ?? -1) + 1;
  for (let step = 0; step < lines; step++) {
    const line = (first + step) % lines;
    const start = starts[line] as number;
    if (slots.subarray(start, start + (counts[line] as number)).includes(slot)) return line;
  }
  return null;
}
