import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';

export const SLOTS = Symbol('slots');

function startupNodes() {
  return (process.env.REDIS_CLUSTER ?? '').split(',').map((node) => {
    const [host = '', port] = node.split(':');
    return { host, port: Number(port) };
  });
}

@Module({
  providers: [
    { provide: Cluster, useFactory: () => new Cluster(startupNodes()) },
    { provide: SLOTS, useFactory: (cluster: Cluster) => redslot(cluster), inject: [Cluster] },
  ],
  exports: [SLOTS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(private readonly cluster: Cluster) {}

  async onApplicationShutdown(): Promise<void> {
    await this.cluster.quit();
  }
}
