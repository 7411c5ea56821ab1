import { signal } from '@preact/signals';

/** Index of the chosen line of the panel Keys. */
export const chosenLine = signal<number | null>(null);
