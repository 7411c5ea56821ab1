import { signal } from '@preact/signals';

/** The slot that is pointed at, wherever on the page. */
export const pointedSlot = signal<number | null>(null);
/** Index of the primary that is pointed at in a list. */
export const pointedPrimary = signal<number | null>(null);
