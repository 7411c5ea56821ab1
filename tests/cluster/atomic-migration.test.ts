import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters } from './support/counters.ts';
import { lacks } from './support/features.mjs';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

const KEYS = Array.from({ length: 5000 }, (_, i) => `counter:${i}`);

const skip = await lacks({ command: 'cluster|migrateslots' });

describe('slots that a server moves by itself, with CLUSTER MIGRATESLOTS', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  before(async () => {
    if (skip) return;
    servers = await start({ primaries: 3 });
  });

  async function migrate(source: ClusterNode, target: ClusterNode): Promise<void> {
    await source.ask('CLUSTER', 'MIGRATESLOTS', 'SLOTSRANGE', 0, 3999, 'NODE', target.id);
    await until('the target owns the slots', async () => {
      const entries: [number, number, [string, number, string]][] = await target.ask(
        'CLUSTER',
        'SLOTS',
      );
      return entries.some(([from, , [, , id]]) => from === 0 && id === target.id);
    });
    await servers.settled();
  }

  for (const [release, Cluster] of releases) {
    it(`lose and repeat no INCR of the batches meanwhile on ${release}`, { skip }, async () => {
      const [first, second] = servers.primaries as [ClusterNode, ClusterNode];
      const slots = redslot(connect(Cluster, servers), { chunkCommands: 200 });
      const counters = new Counters();
      await counters.incrAll(slots, KEYS);
      const before = await servers.errorCount('MOVED');
      let moving = true;
      const moves = migrate(first, second)
        .then(() => migrate(second, first))
        .finally(() => {
          moving = false;
        });
      while (moving) await counters.incrAll(slots, KEYS);
      await moves;
      assert.ok((await servers.errorCount('MOVED')) > before, 'the batches met MOVED');
      await counters.incrAll(slots, KEYS);
      const after = await servers.errorCount('MOVED');
      await counters.incrAll(slots, KEYS);
      assert.equal(await servers.errorCount('MOVED'), after);
      await counters.verify(servers);
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
    });
  }
});
