import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { values } from './support/replies.ts';

const require = createRequire(import.meta.url);
const CROSS = /CROSSSLOT|same slots allocation group|same slot/;

let servers: TestCluster;
before(async () => {
  servers = await startCluster({ primaries: 3 });
});
after(() => servers?.stop());

for (const [release, Cluster] of releases) {
  describe(`install on ${release}`, () => {
    let cluster: ClusterInstance;
    beforeEach(async () => {
      await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
      cluster = new Cluster(servers.startupNodes);
    });
    afterEach(() => cluster.disconnect());

    it('cures code that is written against the cluster object', async () => {
      const work = async () => {
        await cluster.mset({ a: 1, b: 2, foo: 3 });
        const replies = await cluster
          .pipeline([
            ['get', 'a'],
            ['get', 'b'],
          ])
          .incr('foo')
          .exec();
        return {
          values: values(replies as never),
          some: await cluster.mget('a', 'b', 'nope'),
          list: await cluster.mget(['foo', 'a']),
          buffers: await cluster.mgetBuffer('a', 'foo'),
          counts: [await cluster.exists('a', 'b'), await cluster.touch('a', 'b')],
          gone: [await cluster.unlink('a', 'nope'), await cluster.del(['b', 'foo'])],
        };
      };
      await assert.rejects(work(), CROSS);
      redslot(cluster).install();
      assert.deepEqual(await work(), {
        values: ['1', '2', 4],
        some: ['1', '2', null],
        list: ['4', '1'],
        buffers: [Buffer.from('1'), Buffer.from('4')],
        counts: [2, 2],
        gone: [1, 2],
      });
    });

    it('calls callbacks as ioredis does', async () => {
      redslot(cluster).install();
      const mset = promisify((done: (error: unknown, reply?: unknown) => void) => {
        cluster.mset('a', 1, 'b', 2, done);
      });
      assert.equal(await mset(), 'OK');
      const told = await new Promise((resolve) => {
        cluster.mget('a', 'b', (error: unknown, reply: unknown) => resolve([error, reply]));
      });
      assert.deepEqual(told, [null, ['1', '2']]);
    });

    it('leaves multi, other methods and other objects alone, and can be undone', async () => {
      const other = new Cluster(servers.startupNodes);
      const names = ['pipeline', 'mget', 'mset', 'del', 'unlink', 'exists', 'touch'] as const;
      const before = names.map((name) => cluster[name]);
      const restore = redslot(cluster).install();
      const first = cluster.pipeline;
      const again = redslot(cluster, { timeout: 5 }).install();
      assert.equal(cluster.pipeline, first);
      assert.equal(other.pipeline, before[0]);
      const done = await cluster.multi().set('{t}a', 1).incr('{t}a').exec();
      assert.deepEqual(done, [
        [null, 'OK'],
        [null, 2],
      ]);
      await assert.rejects(other.mget('a', 'b'), CROSS);
      again();
      assert.deepEqual(await cluster.mget('a', 'b'), [null, null]);
      restore();
      assert.deepEqual(
        names.map((name) => cluster[name]),
        before,
      );
      assert.deepEqual(
        names.filter((name) => Object.hasOwn(cluster, name)),
        [],
      );
      await assert.rejects(cluster.mget('a', 'b'), CROSS);
      redslot(cluster).install();
      assert.deepEqual(await cluster.mget('a', 'b'), [null, null]);
      other.disconnect();
    });

    it('rejects like any command once the cluster object is closed', async () => {
      redslot(cluster).install();
      await cluster.get('a');
      cluster.disconnect();
      await assert.rejects(cluster.mget('a', 'b'), { code: 'CLOSED' });
    });

    it('cures cache-manager-ioredis-yet, but for mset with a time to live, a transaction', async () => {
      const { redisInsStore } = require('cache-manager-ioredis-yet');
      const store = redisInsStore(cluster);
      const pairs = [
        ['a', 1],
        ['b', { deep: true }],
      ];
      await assert.rejects(store.mset(pairs), CROSS);
      await assert.rejects(store.mget('a', 'b'), CROSS);
      await assert.rejects(store.mdel('a', 'b'), CROSS);
      redslot(cluster).install();
      await store.mset(pairs);
      assert.deepEqual(await store.mget('a', 'b', 'nope'), [1, { deep: true }, undefined]);
      await store.mdel('a', 'b');
      assert.deepEqual(await store.mget('a', 'b'), [undefined, undefined]);
      await assert.rejects(store.mset(pairs, 1000), CROSS);
    });

    it('cures the ioredis adapter of keyv without its sets', async () => {
      const KeyvRedis = require('@keyv/redis');
      const store = new KeyvRedis(cluster, { useRedisSets: false });
      await store.set('a', 'x');
      await store.set('b', 'y');
      await assert.rejects(store.getMany(['a', 'b']), CROSS);
      redslot(cluster).install();
      assert.deepEqual(await store.getMany(['a', 'b', 'nope']), ['x', 'y', null]);
    });

    it('cures connect-redis where it has many keys; its SCAN asks one node', async () => {
      const RedisStore = require('connect-redis').default;
      const store = new RedisStore({ client: cluster });
      // Some on every node.
      const sids = Array.from({ length: 30 }, (_, i) => `s${i}`);
      const session = { cookie: { originalMaxAge: 60_000 } };
      const call = (name: 'set' | 'all' | 'clear' | 'ids', ...args: unknown[]) =>
        new Promise((resolve, reject) => {
          store[name](...args, (error: unknown, found: unknown) => {
            if (error) reject(error);
            else resolve(found);
          });
        });
      for (const sid of sids) await call('set', sid, session);
      await assert.rejects(call('all'), CROSS);
      redslot(cluster).install();
      const all = (await call('all')) as { id: string }[];
      assert.ok(all.length > 0 && all.length < sids.length, `${all.length} sessions of one node`);
      await call('clear');
    });
  });
}

describe('install in an application', () => {
  it('has a rejection reported that nobody handles, unless a callback took it', () => {
    // In a process of its own, because the test runner takes such reports for failures.
    const script = `
      import { Cluster } from 'ioredis';
      import { redslot } from 'redslot-wasm/ioredis';
      const cluster = new Cluster(${JSON.stringify(servers.startupNodes)});
      redslot(cluster).install();
      await cluster.get('a');
      cluster.disconnect();
      process.on('unhandledRejection', ({ code }) => console.log('unhandled', code));
      cluster.mget('a', 'b', ({ code }) => console.log('callback', code));
      setTimeout(() => cluster.del('a', 'b'), 50);
    `;
    const args = ['--input-type=module', '--eval', script];
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(printed, 'callback CLOSED\nunhandled CLOSED\n');
  });
});
