import { expect, test } from '@jest/globals';
import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

test('ES modules work', async () => {
  expect(job.slots(main)).toEqual(job.facts.slots);
  const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
  expect(replies).toEqual(job.facts.replies);
});
