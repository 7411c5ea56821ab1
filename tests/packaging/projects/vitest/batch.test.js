import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import * as translated from 'redslot-wasm/js';
import { expect, test, vi } from 'vitest';

test('slots and batches are as everywhere', async () => {
  expect(job.slots(main)).toEqual(job.facts.slots);
  expect(job.slots(translated)).toEqual(job.facts.slots);
  const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
  expect(replies).toEqual(job.facts.replies);
});

test('modules may be reset', async () => {
  vi.resetModules();
  const again = await import('redslot-wasm');
  expect(job.slots(again)).toEqual(job.facts.slots);
});
