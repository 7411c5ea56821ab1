import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

job.replies(redslot, Cluster, process.env.REDIS_CLUSTER).then((replies) => {
  console.log(JSON.stringify({ ...job.slots(main), replies }));
});
