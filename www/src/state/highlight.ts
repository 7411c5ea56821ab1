import { signal } from '@preact/signals';
import { owners } from './topology';

/** The slot that is pointed at, wherever on the page. */
export const pointedSlot = signal<number | null>(null);
/** Index of the primary that is pointed at in a list. */
export const pointedPrimary = signal<number | null>(null);

/** Whether what is pointed at is a slot, or the primary that serves it. */
export function isPointedAt(slot: number): boolean {
  return pointedSlot.value === slot || pointedPrimary.value === (owners.value[slot] ?? -1);
}
