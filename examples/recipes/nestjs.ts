// For a NestJS application: one cluster client for the whole of it, which is closed with it, and
// services that take what redslot() gives by injection.
//
// `@Inject` names each dependency, so this works without emitDecoratorMetadata too.
import {
  type DynamicModule,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Cluster } from 'ioredis';
import { type Redslot, redslot } from 'redslot-wasm/ioredis';

/** The client itself, for what is not in pipelines. */
export const CLUSTER = Symbol('redis cluster');
/** Pipelines and calls over any keys. */
export const SLOTS = Symbol('redis slots');
export type Slots = Redslot<Cluster>;

type Nodes = ConstructorParameters<typeof Cluster>[0];
type Options = ConstructorParameters<typeof Cluster>[1];

/** `imports: [RedisModule.forRoot([{ host: 'redis-1', port: 6379 }])]` in the root module. */
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(CLUSTER) private readonly cluster: Cluster) {}

  static forRoot(nodes: Nodes, options?: Options): DynamicModule {
    return {
      module: RedisModule,
      global: true,
      providers: [
        { provide: CLUSTER, useFactory: () => connect(nodes, options) },
        { provide: SLOTS, inject: [CLUSTER], useFactory: (cluster: Cluster) => redslot(cluster) },
      ],
      exports: [CLUSTER, SLOTS],
    };
  }

  /**
   * On app.close(), and on SIGTERM after app.enableShutdownHooks(). The hooks before this one run while
   * requests are still being answered.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.cluster.quit();
  }
}

function connect(nodes: Nodes, options: Options): Cluster {
  const cluster = new Cluster(nodes, options);
  const logger = new Logger('redis');
  // Without a listener, ioredis prints each of them.
  cluster.on('error', (error) => logger.warn(error.message));
  return cluster;
}

/** A service as applications have them: it does not know on which node a key is. */
@Injectable()
export class Visits {
  constructor(@Inject(SLOTS) private readonly slots: Slots) {}

  /** Counts a visit of each page; gives the counts, null where the count failed. */
  async count(pages: string[]): Promise<(number | null)[]> {
    const pipeline = this.slots.pipeline();
    for (const page of pages) pipeline.incr(`visits:${page}`);
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, count]) => (error ? null : Number(count)));
  }

  /** The counts of pages, 0 where nobody was. */
  async of(pages: string[]): Promise<number[]> {
    const counts = await this.slots.mget(pages.map((page) => `visits:${page}`));
    return counts.map(Number);
  }
}
