import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

export default {
  async fetch(_request, { REDIS_CLUSTER }) {
    const replies = await job.replies(redslot, Cluster, REDIS_CLUSTER);
    return Response.json({ ...job.slots(main), replies });
  },
};
