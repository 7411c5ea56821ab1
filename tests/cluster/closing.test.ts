import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { RedslotError, redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters, codes } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

const KEYS = [0, 6000, 12_000].flatMap((slot) =>
  Array.from({ length: 30 }, (_, i) => `{${slotTag(slot + i)}}${i}`),
);

describe('a batch', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  before(async () => {
    servers = await start({ primaries: 3 });
  });

  for (const [release, Cluster] of releases) {
    describe(`on ${release}`, () => {
      it('waits for a cluster object that is connecting', async () => {
        const cluster = connect(Cluster, servers);
        const slots = redslot(cluster);
        assert.notEqual(cluster.status, 'ready');
        const counters = new Counters();
        await Promise.all([counters.incrAll(slots, KEYS), counters.incrAll(slots, KEYS)]);
        await counters.verify(servers);
        await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
      });

      it('settles each position when the cluster object is disconnected under it', async () => {
        const cluster = connect(Cluster, servers);
        const slots = redslot(cluster, { chunkCommands: 10 });
        const [first] = servers.primaries as [ClusterNode];
        await slots.pipeline().ping().exec();
        const told: number[] = [];
        const pipeline = slots.pipeline().blpop(`{${slotTag(0)}}never`, 0);
        KEYS.forEach((key, i) => {
          pipeline.incr(key, () => told.push(i));
        });
        const running = pipeline.exec();
        await until('one node is blocked and the others have answered', async () => {
          const blocked = /blocked_clients:1\r/.test(await first.ask('INFO', 'clients'));
          return blocked && told.length === 60;
        });
        cluster.disconnect();
        const replies = (await running) ?? [];
        const [lost, rest] = [replies.slice(0, 10), replies.slice(10)];
        assert.deepEqual(codes(lost), Array(10).fill('NO_REPLY'));
        for (const [error] of rest.slice(0, 21)) {
          assert.ok(error instanceof RedslotError);
          assert.equal(error.executed, 'no');
        }
        assert.deepEqual(codes(rest.slice(21)), Array(60).fill(null));
        assert.equal(told.length, 90);
        assert.equal(await first.ask('EXISTS', KEYS[0] as string), 0);
        await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
      });

      it('rejects, with nothing sent, when the cluster object is disconnected while connecting', async () => {
        const cluster = connect(Cluster, servers);
        const counters = new Counters();
        const running = counters.incr(redslot(cluster), KEYS);
        cluster.disconnect();
        await assert.rejects(running, (error: RedslotError) => {
          assert.equal(error.name, 'RedslotError');
          assert.equal(error.code, 'CLOSED');
          assert.equal(error.executed, 'no');
          return true;
        });
        assert.equal((await servers.contents()).size, 0);
      });
    });
  }
});
