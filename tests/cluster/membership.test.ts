import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';

/** Five keys in each of the first 20 slots, which change hands, and 100 elsewhere. */
const MOVING = Array.from({ length: 20 }, (_, slot) => slot);
const KEYS = [
  ...MOVING.flatMap((slot) => [1, 2, 3, 4, 5].map((i) => `{${slotTag(slot)}}${i}`)),
  ...Array.from({ length: 100 }, (_, i) => `{${slotTag(100 + i * 160)}}${i}`),
];

describe('a node', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  before(async () => {
    servers = await start({ primaries: 3 });
  });

  async function moveAll(from: ClusterNode, to: ClusterNode): Promise<void> {
    for (const slot of MOVING) await servers.moveSlot(slot, from.port, to.port);
    await servers.settled();
  }

  for (const [release, Cluster] of releases) {
    it(`joins and leaves under traffic without a trace in the counters on ${release}`, async () => {
      const [home] = servers.primaries as [ClusterNode];
      const slots = redslot(connect(Cluster, servers));
      const counters = new Counters();
      await counters.incrAll(slots, KEYS);

      let running = true;
      const traffic = (async () => {
        while (running) await counters.incrAll(slots, KEYS);
      })();
      const guest = await servers.addNode();
      try {
        await moveAll(home, guest);
        await counters.incrAll(slots, KEYS);
        const map = await slots.slotMap();
        assert.deepEqual(
          map.primaries.find(({ endpoint }) => endpoint === guest.endpoint)?.ranges,
          [[0, 19]],
        );
        const redirects = await servers.errorCount('MOVED');
        await counters.incrAll(slots, KEYS);
        assert.equal(await servers.errorCount('MOVED'), redirects);
        await moveAll(guest, home);
        await counters.incrAll(slots, KEYS);
      } finally {
        running = false;
        await traffic;
      }

      await servers.removeNode(guest);
      await counters.incrAll(slots, KEYS);
      await counters.incrAll(slots, KEYS);
      await counters.verify(servers);
      assert.equal((await slots.slotMap()).primaries.length, 3);
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
      await servers.settled();
    });
  }
});
