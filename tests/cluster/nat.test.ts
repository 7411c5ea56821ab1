import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters } from './support/counters.ts';
import { lacks } from './support/features.mjs';
import type { ClusterNode } from './support/node.mjs';
import { closeSlot, moveKeys, openSlot } from './support/slots.mjs';
import { stage } from './support/stage.ts';

const SLOT = 12182;
const KEYS = ['{foo}stays', '{foo}went', '{foo}new', `{${slotTag(0)}}1`, `{${slotTag(6000)}}1`];

/** Servers that announce a name which only natMap can resolve. */
const HIDDEN = {
  'cluster-announce-hostname': 'inside.invalid',
  'cluster-preferred-endpoint-type': 'hostname',
};
const skip = await lacks({ setting: 'cluster-announce-hostname' });

describe('a slot that moves behind natMap', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let source: ClusterNode;
  let target: ClusterNode;
  before(async () => {
    if (skip) return;
    servers = await start({ primaries: 3, config: HIDDEN });
    [target, , source] = servers.primaries as [ClusterNode, ClusterNode, ClusterNode];
  });

  for (const [release, Cluster] of releases) {
    it(`is followed by ASK and by MOVED to the mapped addresses on ${release}`, {
      skip,
    }, async () => {
      const natMap = Object.fromEntries(
        servers.nodes.map(({ host, port }) => [`inside.invalid:${port}`, { host, port }]),
      );
      const slots = redslot(connect(Cluster, servers, { natMap }));
      const counters = new Counters();
      await counters.incrAll(
        slots,
        KEYS.filter((key) => key !== '{foo}new'),
      );

      await openSlot(SLOT, source, target);
      await moveKeys(SLOT, source, target, ['{foo}went']);
      const asks = await servers.errorCount('ASK');
      await counters.incrAll(slots, KEYS);
      assert.equal((await servers.errorCount('ASK')) - asks, 2);

      await moveKeys(SLOT, source, target);
      await closeSlot(SLOT, source, target);
      const moves = await servers.errorCount('MOVED');
      await counters.incrAll(slots, KEYS);
      assert.equal((await servers.errorCount('MOVED')) - moves, 3);
      await counters.incrAll(slots, KEYS);
      assert.equal((await servers.errorCount('MOVED')) - moves, 3);
      await counters.verify(servers);

      await servers.settled();
      await servers.moveSlot(SLOT, target.port, source.port);
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
      await servers.settled();
    });
  }
});
