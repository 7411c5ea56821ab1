import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const path = new URL('../projects/job/facts.json', import.meta.url);
const { slots, replies } = JSON.parse(readFileSync(path, 'utf8'));

/** Checks the one line of JSON that a project printed of hash slots and a partition. */
export function assertSlots(printed: string): void {
  assert.deepEqual(JSON.parse(printed), slots);
}

/** Checks the one line of JSON that a project printed of slots, a partition and a batch. */
export function assertBatch(printed: string): void {
  assert.deepEqual(JSON.parse(printed), { ...slots, replies });
}
