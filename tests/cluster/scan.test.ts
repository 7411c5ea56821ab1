import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keySlot, slotTag } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import type { ClusterNode } from './support/node.mjs';
import { bulk } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';
import { closeSlot, moveKeys, openSlot } from './support/slots.mjs';
import { stage } from './support/stage.ts';

const KEYS = Array.from({ length: 900 }, (_, i) => `scan:${i}`);
/** Of `{foo}`, at the third primary. */
const SLOT = keySlot('foo');
const MOVING = Array.from({ length: 40 }, (_, i) => `{foo}${i}`);

describe('scan', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let first: ClusterNode;
  let third: ClusterNode;
  before(async () => {
    servers = await start({ primaries: 3 });
    [first, , third] = servers.primaries as [ClusterNode, ClusterNode, ClusterNode];
  });
  const calls = () =>
    Promise.all(
      servers.primaries.map(async (node) => {
        const stats = String(await node.ask('INFO', 'commandstats'));
        return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0);
      }),
    );
  const called = async (work: () => Promise<unknown>) => {
    const before = await calls();
    await work();
    return (await calls()).map((count, i) => count - (before[i] as number));
  };

  for (const [release, Cluster] of releases) {
    describe(`on ${release}`, () => {
      let cluster: ClusterInstance;
      beforeEach(async () => {
        await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
        cluster = connect(Cluster, servers);
        await redslot(cluster).mset(KEYS.map((key) => [key, key] as const));
      });
      afterEach(() => cluster.disconnect());
      const all = async (options: object = {}) => {
        const keys: string[] = [];
        for await (const key of redslot(cluster).scan(options)) keys.push(key);
        return keys;
      };

      it('gives each key of every primary once, one node or several at a time', async () => {
        for (const options of [{}, { parallel: 3, count: 10 }, { unique: false }]) {
          assert.deepEqual((await all(options)).sort(), [...KEYS].sort());
        }
      });

      it('keeps to a pattern and a type', async () => {
        await redslot(cluster).pipeline().hset('scan:hash', 'f', 1).set('other', 1).exec();
        assert.deepEqual(await all({ match: 'other' }), ['other']);
        assert.deepEqual(await all({ match: 'scan:*', type: 'hash' }), ['scan:hash']);
        assert.equal((await all({ match: 'scan:1*' })).length, 111);
      });

      it('asks one node alone when the pattern names its slot', async () => {
        await redslot(cluster).mset(MOVING.map((key) => [key, 1] as const));
        const counts = await called(async () => {
          assert.deepEqual((await all({ match: '{foo}*' })).sort(), [...MOVING].sort());
        });
        assert.deepEqual([counts[0], counts[1]], [0, 0]);
        assert.ok((counts[2] as number) > 0);
      });

      it('gives keys that are no text as Buffers', async () => {
        const binary = Buffer.from([0xac, 0xed, 0x00, 0xff]);
        await cluster.set(binary, 1);
        const keys: Buffer[] = [];
        for await (const key of redslot(cluster).scan({ buffer: true })) keys.push(key);
        assert.equal(keys.length, KEYS.length + 1);
        assert.ok(keys.some((key) => key.equals(binary)));
      });

      it('can be left early', async () => {
        const counts = await called(async () => {
          for await (const key of redslot(cluster).scan({ count: 10, parallel: 3 })) {
            assert.ok(key);
            break;
          }
          assert.equal(await cluster.get('scan:1'), 'scan:1');
        });
        assert.ok(Math.max(...counts) <= 3, String(counts));
      });

      it('misses no key of a slot that moves behind its back, and gives none twice', async () => {
        for (const [from, to] of [
          [third, first],
          [first, third],
        ] as const) {
          await redslot(cluster).mset(MOVING.map((key) => [key, 1] as const));
          const keys: string[] = [];
          let moved = false;
          // Whichever node is asked first, the slot moves in the middle of it.
          for await (const key of redslot(cluster).scan({ count: 10 })) {
            keys.push(key);
            if (moved || keys.length < 200) continue;
            moved = true;
            await servers.moveSlot(SLOT, from.port, to.port);
            await servers.settled();
          }
          assert.deepEqual(keys.sort(), [...KEYS, ...MOVING].sort());
        }
      });

      it('finds the keys on both sides of an open migration', async () => {
        await redslot(cluster).mset(MOVING.map((key) => [key, 1] as const));
        await openSlot(SLOT, third, first);
        try {
          const keys: string[] = [];
          let at = 0;
          for await (const key of redslot(cluster).scan({ count: 10 })) {
            keys.push(key);
            if (keys.length % 20 > 0) continue;
            const some = MOVING.slice(at, at + 2);
            at += 2;
            if (some.length > 0) await moveKeys(SLOT, third, first, some);
          }
          assert.deepEqual(keys.sort(), [...KEYS, ...MOVING].sort());
          assert.deepEqual((await all({ match: '{foo}*' })).sort(), [...MOVING].sort());
        } finally {
          await moveKeys(SLOT, third, first);
          await closeSlot(SLOT, third, first);
          await servers.settled();
          await servers.moveSlot(SLOT, first.port, third.port);
          await servers.settled();
        }
      });

      it('ends by its signal, and refuses options out of range', async () => {
        const signal = AbortSignal.abort(new Error('enough'));
        await assert.rejects(all({ signal }), { code: 'ABORTED' });
        await assert.rejects(all({ count: 0 }), { name: 'TypeError', message: /count must be/ });
        await assert.rejects(all({ parallel: 1.5 }), { name: 'TypeError' });
      });
    });
  }

  it('gives what is there of a cluster with a hole, and then says so', async () => {
    const ranges: [number, number][][] = [[[0, 5460]], [[5461, 10922]], [[10923, 16000]]];
    const holed = await start({ primaries: 3, ranges });
    const cluster = connect(releases[2][1], holed);
    const tag = slotTag(16383);
    await redslot(cluster).mset([
      ['a', 1],
      ['b', 2],
    ]);
    const keys: string[] = [];
    await assert.rejects(
      async () => {
        for await (const key of redslot(cluster).scan()) keys.push(key);
      },
      { code: 'UNOWNED', slot: 16001, message: /383 hash slots, the first 16001/ },
    );
    assert.deepEqual(keys.sort(), ['a', 'b']);
    await assert.rejects(
      async () => {
        for await (const key of redslot(cluster).scan({ match: `{${tag}}*` })) keys.push(key);
      },
      { code: 'UNOWNED', slot: 16383 },
    );
  });

  it('scans the replica that takes over from a primary that dies', async () => {
    const replicated = await start({ primaries: 3, replicas: 1, nodeTimeout: 1000 });
    const cluster = connect(releases[2][1], replicated);
    await redslot(cluster).mset(KEYS.map((key) => [key, key] as const));
    await replicated.primaries[1]?.ask('WAIT', 1, 2000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const keys: string[] = [];
    let killed = false;
    for await (const key of redslot(cluster).scan({ count: 10 })) {
      keys.push(key);
      if (killed) continue;
      killed = true;
      await replicated.primaries[1]?.kill();
    }
    assert.deepEqual(keys.sort(), [...KEYS].sort());
  });
});

/** A reply to SCAN. */
const page = (cursor: string, ...keys: string[]) =>
  `*2\r\n${bulk(cursor)}*${keys.length}\r\n${keys.map(bulk).join('')}`;

for (const [release, Cluster] of releases) {
  describe(`scan of scripted nodes on ${release}`, () => {
    const start = scriptedStage(Cluster);

    it('leaves no rejection unhandled while a page is consumed', async () => {
      const { client, nodes } = await start(2);
      for (const node of nodes) {
        let cursor = 0;
        node.script = ([name]) => {
          return name === 'scan' ? page(String(++cursor), `${node.port}:${cursor}`) : undefined;
        };
      }
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      try {
        const controller = new AbortController();
        const scanning = async () => {
          for await (const key of redslot(client).scan({ signal: controller.signal })) {
            assert.ok(key);
            controller.abort();
            await sleep(30);
          }
        };
        await assert.rejects(scanning, { code: 'ABORTED' });
        await sleep(10);
        assert.deepEqual(unhandled, []);
      } finally {
        process.off('unhandledRejection', note);
      }
    });

    it('says so when a primary announces no address, after the keys of the others', async () => {
      const { client, servers, nodes } = await start(2);
      for (const node of nodes) {
        node.script = ([name, word]) => {
          if (name === 'scan') return page('0', String(node.port));
          return /nodes/i.test(word ?? '') ? bulk('') : undefined;
        };
      }
      await client.get('a').catch(() => {});
      servers.hostOf = (node) => (node === nodes[1] ? '?' : '127.0.0.1');
      const keys: string[] = [];
      await assert.rejects(
        async () => {
          for await (const key of redslot(client).scan()) keys.push(key);
        },
        { code: 'UNOWNED', slot: 8192 },
      );
      assert.deepEqual(keys, [String(nodes[0].port)]);
    });

    it('warns of no listeners on a cluster of more than ten primaries', async () => {
      const { client, nodes } = await start(12);
      for (const node of nodes) {
        node.script = ([name, word]) => {
          if (name === 'scan') return page('0', String(node.port));
          return /nodes/i.test(word ?? '') ? bulk('') : undefined;
        };
      }
      const warnings: string[] = [];
      const note = ({ message }: Error) => warnings.push(message);
      process.on('warning', note);
      try {
        const count = () =>
          ['close', 'end', 'node error'].map((event) => client.listenerCount(event));
        await client.cluster('SLOTS');
        await redslot(client).slotMap();
        const before = count();
        const keys: string[] = [];
        for await (const key of redslot(client).scan({ parallel: 12 })) keys.push(key);
        assert.equal(keys.length, 12);
        await sleep(10);
        assert.deepEqual(warnings, []);
        assert.deepEqual(count(), before, 'one listener each serves all who wait');
      } finally {
        process.off('warning', note);
      }
    });

    it('keeps its cursor through a lost connection, but not through a restart', async () => {
      for (const restarts of [false, true]) {
        const { client, nodes } = await start(2);
        const cursors: string[] = [];
        nodes[1].script = ([name]) => (name === 'scan' ? page('0') : undefined);
        let process = 1;
        nodes[0].script = ([name, cursor = '']) => {
          if (name === 'info') return bulk(`run_id:${process}\r\nloading:0\r\n`);
          if (name !== 'scan') return undefined;
          cursors.push(cursor);
          // The new process has its keys in other places.
          if (process === 2) return cursor === '0' ? page('0', 'a', 'b', 'c') : page('0');
          if (cursor === '0') return page('5', 'a');
          if (cursor === '6') return page('0', 'c');
          if (restarts) process = 2;
          return { close: true, first: page('6', 'b') as string };
        };
        const keys: string[] = [];
        for await (const key of redslot(client).scan()) {
          keys.push(key);
          await sleep(50);
          // By this ioredis connects again to a node that it has lost.
          await new Promise<void>((resolve) => client.refreshSlotsCache(() => resolve()));
        }
        assert.deepEqual(keys.sort(), ['a', 'b', 'c']);
        assert.deepEqual(cursors, restarts ? ['0', '5', '0'] : ['0', '5', '6']);
      }
    });
  });
}
