import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Cluster } from 'ioredis';
import { CLUSTER, RedisModule, SLOTS, type Slots, Visits } from '../../examples/recipes/nestjs.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import { until } from '../cluster/support/until.mjs';

/** Each primary has the counts of some of them, which the first test looks at. */
const PAGES = ['1', '2', '3', '4', '5', '6'];

@Module({ providers: [Visits], exports: [Visits] })
class VisitsModule {}

describe('the NestJS recipe', () => {
  let servers: TestCluster;
  before(async () => {
    servers = await startCluster({ primaries: 3 });
  });
  after(() => servers?.stop());

  const start = (...providers: Type[]) => {
    @Module({
      imports: [RedisModule.forRoot(servers.startupNodes) as DynamicModule, VisitsModule],
      providers,
    })
    class AppModule {}
    return NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
  };

  /** Connections of applications, not those of the fixture. */
  const connections = async () => {
    const lists = await Promise.all(
      servers.primaries.map((node) => node.ask('CLIENT', 'LIST', 'TYPE', 'normal')),
    );
    return lists.join('').match(/^id=(?!.*name=fixture)/gm)?.length ?? 0;
  };

  it('gives services pipelines and calls over keys of every primary', async () => {
    const app = await start();
    try {
      const visits = app.get(Visits);
      assert.deepEqual(await visits.count(PAGES), [1, 1, 1, 1, 1, 1]);
      for (const node of servers.primaries) assert.ok((await node.ask('DBSIZE')) > 0);
      assert.deepEqual(await visits.count(PAGES.slice(0, 2)), [2, 2]);
      await app.get<Cluster>(CLUSTER).set('visits:text', 'no number');
      assert.deepEqual(await visits.count(['1', 'text']), [3, null]);
      assert.deepEqual(await visits.of([...PAGES, 'none']), [3, 2, 1, 1, 1, 1, 0]);
      const slots = app.get<Slots>(SLOTS);
      assert.equal((await slots.slotMap()).primaries.length, 3);
    } finally {
      await app.close();
    }
  });

  it('keeps its client until nothing else is to be done', async () => {
    const found: (number | null)[] = [];
    @Injectable()
    class Last implements BeforeApplicationShutdown {
      constructor(@Inject(Visits) private readonly visits: Visits) {}

      async beforeApplicationShutdown() {
        found.push(...(await this.visits.of(['none'])));
      }
    }
    const app = await start(Last);
    await app.close();
    assert.deepEqual(found, [0]);
  });

  it('closes its one client with the application', async () => {
    const app = await start();
    await app.get(Visits).count(PAGES);
    assert.ok((await connections()) >= 3);
    assert.equal(app.get<Cluster>(CLUSTER), app.get<Cluster>(CLUSTER));
    await app.close();
    await until('no connection is left', async () => (await connections()) === 0);
  });
});
