import job from '@packaging/job';
import { Cluster } from 'ioredis';
import * as main from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

export const dynamic = 'force-dynamic';

export async function GET() {
  const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
  return Response.json({ ...job.slots(main), replies });
}
