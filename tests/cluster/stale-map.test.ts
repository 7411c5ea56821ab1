import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';

const SLOTS = [0, 1, 5461, 5462, 10923, 10924] as const;
const KEYS = SLOTS.flatMap((slot) => [1, 2, 3].map((i) => `{${slotTag(slot)}}${i}`));

describe('a map that became stale', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let nodes: [ClusterNode, ClusterNode, ClusterNode];
  before(async () => {
    servers = await start({ primaries: 3 });
    nodes = servers.primaries as typeof nodes;
  });

  /**
   * The slots and keys as they were at first. A node may only take a slot when all nodes know of
   * those that it gave away: it gets an epoch above those it knows, and the others believe the
   * highest.
   */
  afterEach(async () => {
    await servers.settled();
    const [first, second] = nodes;
    for (const slot of [0, 1]) {
      if (await holds(second, slot)) await servers.moveSlot(slot, second.port, first.port);
    }
    await servers.settled();
    if (await holds(first, 5461)) await servers.moveSlot(5461, first.port, second.port);
    await Promise.all(nodes.map((node) => node.ask('FLUSHALL')));
    await servers.settled();
  });

  for (const [release, Cluster] of releases) {
    describe(`on ${release}`, () => {
      it('is corrected by one mixed batch, so that the next needs no redirect', async () => {
        const [first, second] = nodes;
        const slots = redslot(connect(Cluster, servers));
        const counters = new Counters();
        await counters.incrAll(slots, KEYS);

        // The third node is not told of the last move; it may give the old map for a while.
        await servers.moveSlot(0, first.port, second.port);
        await servers.settled();
        await servers.moveSlot(5461, second.port, first.port);
        const before = await servers.errorCount('MOVED');
        await counters.incrAll(slots, KEYS);
        assert.equal((await servers.errorCount('MOVED')) - before, 6, 'three commands per slot');

        await counters.incrAll(slots, KEYS);
        await counters.incrAll(slots, KEYS);
        assert.equal((await servers.errorCount('MOVED')) - before, 6);

        await counters.verify(servers);
      });

      it('is corrected although every moved command was sent by a batch that failed', async () => {
        const [first, second] = nodes;
        const slots = redslot(connect(Cluster, servers, { maxRedirections: 0 }));
        await slots
          .pipeline()
          .set(`{${slotTag(1)}}1`, 'v')
          .exec();
        await servers.moveSlot(1, first.port, second.port);
        const get = () =>
          slots
            .pipeline()
            .get(`{${slotTag(1)}}1`)
            .exec();
        const [told] = (await get()) ?? [];
        assert.equal((told?.[0] as { code?: string })?.code, 'REDIRECTS');
        assert.deepEqual(await get(), [[null, 'v']]);
      });
    });
  }
});

async function holds(node: ClusterNode, slot: number): Promise<boolean> {
  const ranges: [number, number, [string, number, string]][] = await node.ask('CLUSTER', 'SLOTS');
  return ranges.some(([a, b, [, , id]]) => a <= slot && slot <= b && id === node.id);
}
