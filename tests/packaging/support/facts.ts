import assert from 'node:assert/strict';

/** What `projects/job` gives where the package works. The slots are those of CLUSTER KEYSLOT. */
const SLOTS = {
  slot: 3443,
  groups: [
    [7000, [1, 2]],
    [7001, [3]],
    [7002, [0]],
  ],
};

const OK = [null, 'OK'];

const REPLIES = [
  ...[OK, OK, OK, OK],
  ...[0, 1, 2, 3].map((index) => [null, `value ${index}`]),
  [null, 4],
];

/** Checks the one line of JSON that a project printed of hash slots and a partition. */
export function assertSlots(printed: string): void {
  assert.deepEqual(JSON.parse(printed), SLOTS);
}

/** Checks the one line of JSON that a project printed of slots, a partition and a batch. */
export function assertBatch(printed: string): void {
  assert.deepEqual(JSON.parse(printed), { ...SLOTS, replies: REPLIES });
}
