import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters, codes } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

/** 60 keys of the first primary, then 60 of each other. */
const KEYS = [0, 6000, 12_000].flatMap((slot) =>
  Array.from({ length: 60 }, (_, i) => `{${slotTag(slot + i)}}${i}`),
);

/** Waits until the replicas of a primary have all that it acknowledged so far. */
async function replicated(primary: ClusterNode): Promise<void> {
  await primary.ask('SET', `{${slotTag(0)}}fence`, 1);
  assert.equal(await primary.ask('WAIT', 1, 10_000), 1);
}

async function isPrimary(node: ClusterNode): Promise<boolean> {
  return (await node.ask('ROLE'))[0] === 'master';
}

describe('a manual failover', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let shard: ClusterNode[];
  before(async () => {
    servers = await start({ primaries: 3, replicas: 1, nodeTimeout: 2000 });
    shard = [servers.primaries[0] as ClusterNode, servers.replicas[0] as ClusterNode];
  });
  afterEach(async () => {
    await servers.settled();
    for (const node of await servers.currentPrimaries()) await node.ask('FLUSHALL');
  });

  /** Primary and replica of the first shard change places. */
  async function failOver(): Promise<void> {
    const [heir] = (await isPrimary(shard[0] as ClusterNode)) ? shard.slice(1) : shard;
    // A failover that does not get the votes in time is given up by the server.
    await until(
      'the replica is a primary',
      async () => {
        await heir?.ask('CLUSTER', 'FAILOVER').catch(() => {});
        return until('a failover', () => isPrimary(heir as ClusterNode), 6000);
      },
      30_000,
    );
  }

  for (const [release, Cluster] of releases) {
    it(`loses and repeats nothing under traffic on ${release}`, async () => {
      const slots = redslot(connect(Cluster, servers));
      const counters = new Counters();
      await counters.incrAll(slots, KEYS);
      let over = false;
      const failing = failOver().finally(() => {
        over = true;
      });
      while (!over) await counters.incrAll(slots, KEYS);
      await failing;
      await counters.incrAll(slots, KEYS);
      await servers.settled();

      // The map may have been read from a node that had not heard of it yet.
      await counters.incrAll(slots, KEYS);
      const redirects = await servers.errorCount('MOVED');
      await counters.incrAll(slots, KEYS);
      assert.equal(await servers.errorCount('MOVED'), redirects);
      await counters.verify(servers);
    });

    it(`without traffic costs one batch its redirects and the next none on ${release}`, async () => {
      const slots = redslot(connect(Cluster, servers));
      const counters = new Counters();
      await counters.incrAll(slots, KEYS);
      await failOver();
      await servers.settled();
      const before = await servers.errorCount('MOVED');
      await counters.incrAll(slots, KEYS);
      const first = (await servers.errorCount('MOVED')) - before;
      assert.ok(first <= 60, `${first} redirects`);
      await counters.incrAll(slots, KEYS);
      assert.equal((await servers.errorCount('MOVED')) - before, first);
      await counters.verify(servers);
    });
  }
});

describe('a primary that is killed', () => {
  const { start, connect } = stage();
  const [oldest, , newest] = releases;

  for (const [release, Cluster] of [oldest, newest]) {
    it(`costs what was on its way, and the rest arrives after the failover, on ${release}`, async () => {
      const servers = await start({ primaries: 3, replicas: 1, nodeTimeout: 1500 });
      const [victim] = servers.primaries as [ClusterNode];
      const slots = redslot(connect(Cluster, servers), { chunkCommands: 20 });
      const counters = new Counters();
      await counters.incrAll(slots, KEYS);
      await replicated(victim);

      // Paused first, so that it cannot have executed what is sent to it now.
      victim.pause();
      const told: string[] = [];
      const pipeline = slots.pipeline();
      for (const key of KEYS) pipeline.incr(key, () => told.push(key));
      const running = pipeline.exec();
      await until('the other nodes have answered', () => told.length >= 120);
      assert.equal(told.length, 120);
      await victim.kill();
      const replies = (await running) ?? [];
      KEYS.forEach((key, i) => {
        counters.note(key, replies[i]);
      });
      assert.deepEqual(codes(replies), [...Array(20).fill('NO_REPLY'), ...Array(160).fill(null)]);

      const next = await slots.pipeline(KEYS.map((key) => ['get', key])).exec();
      assert.deepEqual(
        next?.map(([, value]) => value),
        [...Array(20).fill('1'), ...Array(160).fill('2')],
      );
      await counters.verify(servers);
      await servers.replicas[0]?.stop();
    });
  }

  it('is outlived by a batch with default options', async () => {
    const [, Cluster] = newest;
    const servers = await start({ primaries: 3, replicas: 1, nodeTimeout: 5000 });
    const [victim] = servers.primaries as [ClusterNode];
    const slots = redslot(connect(Cluster, servers));
    const counters = new Counters();
    await counters.incrAll(slots, KEYS);
    await replicated(victim);
    await victim.kill();
    await counters.incrAll(slots, KEYS);
    await counters.verify(servers);
  });

  it('comes back as a replica, and batches go on', async () => {
    const [, Cluster] = newest;
    const servers = await start({ primaries: 3, replicas: 1, nodeTimeout: 1500 });
    const [victim] = servers.primaries as [ClusterNode];
    const slots = redslot(connect(Cluster, servers));
    const counters = new Counters();
    let stopped = false;
    const traffic = (async () => {
      while (!stopped) await counters.incr(slots, KEYS.slice(60));
    })();
    await victim.kill();
    const heir = servers.replicas[0] as ClusterNode;
    await until('the replica is a primary', () => isPrimary(heir));
    await counters.incr(slots, KEYS);
    await victim.restart();
    await servers.settled(60_000);
    assert.equal(await isPrimary(victim), false);
    stopped = true;
    await traffic;
    await counters.incrAll(slots, KEYS);
    const redirects = await servers.errorCount('MOVED');
    await counters.incrAll(slots, KEYS);
    assert.equal(await servers.errorCount('MOVED'), redirects);
    await counters.verify(servers);
  });
});
