import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, type ClusterSettings, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { values } from './support/replies.ts';
import { until } from './support/until.mjs';

/** One key per primary of the even split, in its order. */
const KEYS = ['b', 'c', 'foo'];

let servers: TestCluster;
before(async () => {
  servers = await startCluster({
    primaries: 3,
    replicas: 1,
    config: { 'repl-ping-replica-period': '1' },
  });
  await Promise.all(servers.primaries.map((node, i) => node.ask('SET', KEYS[i] as string, 'v')));
  await until('all replicas are listed', async () => {
    const entries: unknown[][] = await servers.primaries[0]?.ask('CLUSTER', 'SLOTS');
    return entries.every((entry) => entry.length === 4);
  });
});
after(() => servers?.stop());

/** GETs that the nodes have served. */
async function reads(nodes: TestCluster['nodes']): Promise<number> {
  const stats = await Promise.all(nodes.map((node) => node.ask('INFO', 'commandstats')));
  return stats
    .map((text: string) => Number(/cmdstat_get:calls=(\d+)/.exec(text)?.[1] ?? 0))
    .reduce((sum, calls) => sum + calls, 0);
}

for (const [release, Cluster] of releases) {
  describe(`reads from replicas on ${release}`, () => {
    const clients: ClusterInstance[] = [];
    afterEach(() => {
      for (const client of clients.splice(0)) client.disconnect();
    });

    /** Runs 30 GETs and 3 SETs; gives the GETs that primaries and replicas served of them. */
    async function run(options: ClusterSettings) {
      const client = new Cluster(servers.startupNodes, options);
      clients.push(client);
      const before = [await reads(servers.primaries), await reads(servers.replicas)];
      const pipeline = redslot(client).pipeline();
      for (const key of KEYS) {
        pipeline.set(key, 'v');
        for (let i = 0; i < 10; i++) pipeline.get(key);
      }
      assert.equal(values(await pipeline.exec()).length, 33);
      const now = [await reads(servers.primaries), await reads(servers.replicas)];
      return now.map((count, i) => count - (before[i] as number));
    }

    it('stay at the primaries by default', async () => {
      assert.deepEqual(await run({}), [30, 0]);
    });

    it('go to replicas when scaleReads says slave', async () => {
      assert.deepEqual(await run({ scaleReads: 'slave' }), [0, 30]);
    });

    it('go to any node when scaleReads says all', async () => {
      const [atPrimaries, atReplicas] = await run({ scaleReads: 'all' });
      assert.equal((atPrimaries as number) + (atReplicas as number), 30);
    });

    it('go where a scaleReads function says, and to the primary when it says nothing', async () => {
      const ports = new Set(servers.replicas.map(({ port }) => port));
      const toReplica = (nodes: { options: { port?: number } }[]) =>
        nodes.filter(({ options }) => ports.has(options.port as number));
      assert.deepEqual(await run({ scaleReads: toReplica as never }), [0, 30]);
      assert.deepEqual(await run({ scaleReads: (() => undefined) as never }), [30, 0]);
    });

    it('fall back to the primary when the replica is gone', async () => {
      const client = new Cluster(servers.startupNodes, { scaleReads: 'slave' });
      clients.push(client);
      const slots = redslot(client);
      await slots.slotMap();
      await until('ioredis holds the replicas', () => client.nodes('slave').length === 3);
      for (const replica of servers.replicas) replica.pause();
      for (const node of client.nodes('slave')) node.disconnect();
      try {
        const replies = await slots
          .pipeline([
            ['get', 'b'],
            ['get', 'foo'],
            ['get', 'c'],
          ])
          .exec();
        assert.deepEqual(values(replies), ['v', 'v', 'v']);
      } finally {
        for (const replica of servers.replicas) replica.resume();
      }
    });
  });
}
