import assert from 'node:assert/strict';
import { test } from 'node:test';
import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

test('slots and batches are as everywhere', async () => {
  assert.deepEqual(job.slots(main), job.facts.slots);
  const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
  assert.deepEqual(replies, job.facts.replies);
});
