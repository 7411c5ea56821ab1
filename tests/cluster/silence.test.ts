import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { type RedslotError, redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import { Counters, codes } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

/** 30 keys of each primary; those of the first come first. */
const KEYS = [0, 6000, 12_000].flatMap((slot) =>
  Array.from({ length: 30 }, (_, i) => `{${slotTag(slot + i)}}${i}`),
);

describe('a primary that falls silent', () => {
  const { start, connect } = stage();

  it('costs its own positions the timeout, and no other', async () => {
    // Long enough that nobody takes over.
    const servers = await start({ primaries: 3, nodeTimeout: 60_000 });
    const [silent] = servers.primaries as [ClusterNode];
    for (const [, Cluster] of releases) {
      const counters = new Counters();
      const cluster = connect(Cluster, servers);
      const patient = redslot(cluster);
      await counters.incrAll(patient, KEYS);

      silent.pause();
      const order: string[] = [];
      const pipeline = redslot(cluster, { timeout: 1500, chunkCommands: 10 }).pipeline();
      for (const key of KEYS) pipeline.incr(key, (error) => order.push(error ? 'late' : 'answer'));
      const replies = (await pipeline.exec()) ?? [];
      KEYS.forEach((key, i) => {
        counters.note(key, replies[i]);
      });
      assert.deepEqual(codes(replies), [...Array(30).fill('TIMEOUT'), ...Array(60).fill(null)]);
      assert.deepEqual(
        replies.slice(0, 30).map(([error]) => (error as RedslotError).executed),
        [...Array(10).fill('unknown'), ...Array(20).fill('no')],
      );
      assert.deepEqual(order, [...Array(60).fill('answer'), ...Array(30).fill('late')]);

      silent.resume();
      await until('the node answers again', () => silent.ask('PING'));
      await counters.incrAll(patient, KEYS);
      await counters.verify(servers);
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
    }
  });

  it('is left alone after one batch when a replica took over', async () => {
    const servers = await start({ primaries: 3, replicas: 1, nodeTimeout: 1500 });
    const [silent] = servers.primaries as [ClusterNode];
    const heir = servers.replicas[0] as ClusterNode;
    const [, Cluster] = releases[2];
    const counters = new Counters();
    const slots = redslot(connect(Cluster, servers), { timeout: 3000 });
    await counters.incrAll(slots, KEYS);
    await silent.ask('SET', KEYS[0] as string, 1);
    assert.equal(await silent.ask('WAIT', 1, 10_000), 1);

    silent.pause();
    await until('the replica took over', async () => (await heir.ask('ROLE'))[0] === 'master');
    for (const other of servers.primaries.slice(1)) {
      const firstOwner = async () => (await other.ask('CLUSTER', 'SLOTS'))[0][2][2];
      await until('the others know', async () => (await firstOwner()) === heir.id);
    }
    const first = await counters.incr(slots, KEYS);
    const told = codes(first).slice(0, 30);
    assert.ok(told.every((code) => code === null || code === 'TIMEOUT'));
    assert.deepEqual(codes(first).slice(30), Array(60).fill(null));
    await counters.incrAll(slots, KEYS);

    silent.resume();
    await servers.settled(60_000);
    await counters.incrAll(slots, KEYS);
    await counters.verify(servers);
  });
});
