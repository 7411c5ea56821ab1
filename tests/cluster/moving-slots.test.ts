import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';

const COUNTERS = 50_000;
const BATCH = 1000;

/** 50 slots of the first primary and 50 of the third; the second takes them and gives them back. */
const MOVING = Array.from({ length: 50 }, (_, i) => [i * 100, 11_000 + i * 100]).flat();

/** Four of five counters are in slots that move. */
const KEYS = Array.from({ length: COUNTERS }, (_, i) => {
  const slot = i % 5 === 0 ? (i * 7) % 16384 : (MOVING[i % MOVING.length] as number);
  return `{${slotTag(slot)}}${i}`;
});

describe('batches that run while 100 slots move', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  before(async () => {
    servers = await start({ primaries: 3 });
  });

  async function moveAll(direction: 'forth' | 'back'): Promise<void> {
    const [first, second, third] = servers.primaries as [ClusterNode, ClusterNode, ClusterNode];
    for (const slot of MOVING) {
      const home = slot < 5461 ? first : third;
      const [from, to] = direction === 'forth' ? [home, second] : [second, home];
      await servers.moveSlot(slot, from.port, to.port);
    }
    await servers.settled();
  }

  for (const [release, Cluster] of releases) {
    it(`count every INCR once on ${release}`, async () => {
      const slots = redslot(connect(Cluster, servers), { chunkCommands: 200 });
      const counters = new Counters();
      const before = [await servers.errorCount('MOVED'), await servers.errorCount('ASK')];
      let moving = true;
      const moves = moveAll('forth')
        .then(() => moveAll('back'))
        .finally(() => {
          moving = false;
        });

      for (let i = 0; moving || i * BATCH < COUNTERS; i++) {
        const start = (i * BATCH) % COUNTERS;
        const round = Math.floor((i * BATCH) / COUNTERS) + 1;
        const replies = await counters.incr(slots, KEYS.slice(start, start + BATCH));
        const wrong = replies.find(([error, value]) => error !== null || value !== round);
        assert.equal(wrong, undefined, `round ${round}`);
      }
      await moves;

      const after = [await servers.errorCount('MOVED'), await servers.errorCount('ASK')];
      assert.ok(Number(after[0]) > Number(before[0]), 'the batches met MOVED');
      assert.ok(Number(after[1]) > Number(before[1]), 'the batches met ASK');
      await counters.incrAll(slots, KEYS);
      await counters.verify(servers);
      assert.equal((await servers.contents()).size, COUNTERS);
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
    });
  }

  it('lose nothing of what is loaded, and leave commands over several slots whole', async () => {
    const [, Cluster] = releases[2];
    const slots = redslot(connect(Cluster, servers));
    const keys = KEYS.slice(0, 5000);
    let moving = true;
    const moves = moveAll('forth')
      .then(() => moveAll('back'))
      .finally(() => {
        moving = false;
      });
    let round = 0;
    for (; moving; round++) {
      const value = String(round);
      const summary = await slots.load(keys.map((key) => [key, value] as const));
      assert.deepEqual([summary.written, summary.failed], [keys.length, 0], `round ${round}`);
      // One key per slot, as a slot with some keys moved answers TRYAGAIN to more.
      const some = keys.slice(0, MOVING.length);
      assert.deepEqual(await slots.mget(some), Array(some.length).fill(value));
      assert.equal(await slots.exists(some), some.length);
      assert.equal(await slots.mset(some.map((key) => [key, `${value}!`] as const)), 'OK');
      assert.deepEqual(await slots.mget(some), Array(some.length).fill(`${value}!`));
    }
    await moves;
    assert.ok(round > 1, `${round} rounds`);
    const values = [...(await servers.contents()).values()];
    assert.equal(values.length, keys.length);
    await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
  });
});
