import { computed } from '@preact/signals';
import { patternSlot } from 'redslot-wasm';
import { slotFrom } from '../typed-slot';
import { chosenLine } from './choice';
import { fields } from './fields';
import { keyExplanation } from './key';
import { batch } from './keys';
import { reshardRange } from './reshard';

/** The slot that is typed into the panel Slot to tag, null when it is none. */
export const tagSlot = computed(() => slotFrom(fields.tagSlot.value));

export const slotOfPattern = computed(() => patternSlot(fields.pattern.value));

/** Slots that the open panel is about; they stay marked while nothing is pointed at. */
export const markedSlots = computed<readonly number[]>(() => {
  switch (fields.panel.value) {
    case 'key':
      return [keyExplanation.value.slot];
    case 'keys':
      return chosenSlots();
    case 'pattern':
      return slotOfPattern.value === null ? [] : [slotOfPattern.value];
    case 'tag':
      return tagSlot.value === null ? [] : [tagSlot.value];
    default:
      return [];
  }
});

/** A range that the open panel is about. */
export const markedRange = computed(() =>
  fields.panel.value === 'reshard' ? reshardRange.value : null,
);

function chosenSlots(): number[] {
  const { slots, starts, counts } = batch.value;
  const line = chosenLine.value;
  if (line === null || line >= starts.length) return [];
  const start = starts[line] as number;
  return [...new Set(slots.subarray(start, start + (counts[line] as number)))];
}
