import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
console.log(JSON.stringify({ ...job.slots(main), replies }));
