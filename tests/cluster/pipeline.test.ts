import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { RedslotError, redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, type ClusterSettings, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { errorAt, values } from './support/replies.ts';

/** One key per primary of the even split: slots 3300, 12182 and 7365. */
const KEYS = ['b', 'foo', 'c'] as const;

let servers: TestCluster;
before(async () => {
  servers = await startCluster({ primaries: 3, replicas: 1 });
});
after(() => servers?.stop());

/** The value of a key as its primary has it, whatever the client believes. */
async function stored(key: string): Promise<string | null> {
  for (const primary of servers.primaries) {
    const value = await primary.ask('GET', key).catch(() => null);
    if (value !== null) return value;
  }
  return null;
}

for (const [release, Cluster] of releases) {
  describe(`pipeline on ${release}`, () => {
    const clients: ClusterInstance[] = [];
    const connect = (options: ClusterSettings = {}) => {
      const client = new Cluster(servers.startupNodes, options);
      clients.push(client);
      return client;
    };
    let cluster: ClusterInstance;
    before(() => {
      cluster = connect();
    });
    after(() => {
      for (const client of clients) client.disconnect();
    });

    it('runs what the cluster pipeline refuses', async () => {
      const [b, foo] = KEYS;
      await assert.rejects(
        cluster.pipeline().get(b).get(foo).exec(),
        /All keys in the pipeline should belong to the same slots allocation group/,
      );
      const replies = await redslot(cluster)
        .pipeline()
        .set(b, 1)
        .set(foo, 2)
        .get(b)
        .get(foo)
        .exec();
      assert.deepEqual(replies, [
        [null, 'OK'],
        [null, 'OK'],
        [null, '1'],
        [null, '2'],
      ]);
    });

    it('keeps call order over 10,000 commands on all primaries', async () => {
      const pipeline = redslot(cluster, { chunkCommands: 700 }).pipeline();
      for (let i = 0; i < 10_000; i++) pipeline.set(`order:${i}`, i).get(`order:${i}`);
      const replies = await pipeline.exec();
      assert.equal(replies?.length, 20_000);
      replies?.forEach(([error, result], i) => {
        assert.equal(error, null);
        assert.equal(result, i % 2 === 0 ? 'OK' : String((i - 1) / 2));
      });
    });

    it('sends a value larger than the chunk limit alone', async () => {
      const large = 'x'.repeat(5000);
      const slots = redslot(cluster, { chunkBytes: 100 });
      const replies = await slots.pipeline().set('b', large).get('b').set('b', '1').exec();
      assert.deepEqual(replies, [
        [null, 'OK'],
        [null, large],
        [null, 'OK'],
      ]);
    });

    it('routes binary keys by their bytes', async () => {
      const keys = ['4100000252', '4100000255'].map((id) =>
        Buffer.concat([Buffer.from('aced000574000a', 'hex'), Buffer.from(id)]),
      );
      assert.deepEqual(keys.map(keySlot), [6933, 11250]);
      const [first, second] = keys as [Buffer, Buffer];
      const replies = await redslot(cluster)
        .pipeline()
        .set(first, Buffer.from([0, 255]))
        .set(second, 'x')
        .getBuffer(first)
        .get(second)
        .exec();
      assert.deepEqual(
        replies?.map(([, result]) => result),
        ['OK', 'OK', Buffer.from([0, 255]), 'x'],
      );
    });

    it('takes keys that ioredis itself hashes wrongly', async () => {
      const keys = ['foo{}{bar}', 'a{}b}c', 'x{}}y', '{}{a}', 'тест{}ы}z'];
      const pipeline = redslot(cluster).pipeline();
      for (const key of keys) pipeline.set(key, key).get(key);
      const replies = await pipeline.exec();
      assert.deepEqual(
        replies?.map(([error]) => error),
        new Array(10).fill(null),
      );
    });

    it('leaves an error of the server at its position and runs nothing twice', async () => {
      const replies = await redslot(cluster)
        .pipeline()
        .set('d', 1)
        .lpush('d', 'x')
        .incr('d')
        .get('foo')
        .exec();
      assert.equal(replies?.length, 4);
      assert.match(String(replies?.[1]?.[0]), /WRONGTYPE/);
      assert.equal(replies?.[1]?.[0]?.name, 'ReplyError');
      assert.deepEqual(replies?.[2], [null, 2]);
    });

    it('keeps argument and reply transformers', async () => {
      const replies = await redslot(cluster)
        .pipeline()
        .del('{h}1')
        .hset('{h}1', { a: 1, b: null as never, c: Buffer.from('z') })
        .hgetall('{h}1')
        .hmset('{h}1', new Map([['m', '2']]) as never)
        .mset({ '{m}1': 'x', '{m}2': 'y' })
        .mget('{m}1', '{m}2')
        .exec();
      assert.deepEqual(
        replies?.slice(1).map(([, result]) => result),
        [3, { a: '1', b: '', c: 'z' }, 'OK', 'OK', ['x', 'y']],
      );
    });

    it('calls the callback of each command once and that of exec once', async () => {
      const calls: unknown[][] = [];
      const done = await new Promise((resolve, reject) => {
        const pipeline = redslot(cluster).pipeline();
        pipeline.set('b', 'v', (...args) => calls.push(['set', ...args]));
        pipeline.lpush('b', 'v', (error) => calls.push(['lpush', String(error)]));
        pipeline.msetnx('b', '1', 'c', '2', (error) => calls.push(['msetnx', error?.name]));
        pipeline.exec((error, replies) => (error ? reject(error) : resolve(replies)));
      });
      assert.equal((done as unknown[]).length, 3);
      assert.deepEqual(
        calls.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        [
          [
            'lpush',
            'ReplyError: WRONGTYPE Operation against a key holding the wrong kind of value',
          ],
          ['msetnx', 'RedslotError'],
          ['set', null, 'OK'],
        ],
      );
    });

    it('counts its commands', () => {
      const pipeline = redslot(cluster).pipeline([
        ['get', 'a'],
        ['get', 'b'],
      ]);
      assert.equal(pipeline.length, 2);
      pipeline.get('c');
      assert.equal(pipeline.length, 3);
    });

    it('gives the same promise for a second exec', async () => {
      const pipeline = redslot(cluster).pipeline().incr('twice');
      const [first, second] = await Promise.all([pipeline.exec(), pipeline.exec()]);
      assert.deepEqual(first, second);
    });

    it('finds the keys of commands in upper case, with a prefix too', async () => {
      // Both learn the topology first, so that a redirect would be one of the commands.
      const clients = [cluster, connect({ keyPrefix: 'p:' })].map((client) => redslot(client));
      for (const slots of clients) await slots.pipeline().get('foo').exec();
      const before = await servers.errorCount('MOVED');
      for (const slots of clients) {
        const pipeline = slots.pipeline();
        const call = (...args: [string, ...(string | number)[]]) => pipeline.call(...args);
        for (const [key, source] of [
          ['{b}all', '{b}none'],
          ['{foo}all', '{foo}none'],
        ] as const) {
          call('EVAL', 'return #KEYS', 1, key);
          call('ZUNIONSTORE', key, 1, source);
          call('XREAD', 'COUNT', 1, 'STREAMS', key, '0');
        }
        call('RENAME', 'b', 'foo');
        const replies = await pipeline.exec();
        assert.deepEqual(values(replies?.slice(0, -1) ?? null), [1, 0, null, 1, 0, null]);
        assert.equal(errorAt(replies, 6).code, 'CROSS_SLOT');
      }
      assert.equal(await servers.errorCount('MOVED'), before);
    });

    it('takes the array form, upper-case names and call', async () => {
      const replies = await redslot(cluster)
        .pipeline([
          ['set', 'b', '5'],
          ['GET', 'b'],
          ['getBuffer', 'b'],
          ['call', 'set', 'foo', '6'],
        ])
        .call('get', 'foo')
        .exec();
      assert.deepEqual(
        replies?.map(([, result]) => result),
        ['OK', '5', Buffer.from('5'), 'OK', '6'],
      );
    });

    it('names the position of a malformed command in the array form', () => {
      const slots = redslot(cluster);
      assert.throws(() => slots.pipeline([['get', 'a'], 'get' as never]), /command 1 /);
      assert.throws(() => slots.pipeline([[7 as never]]), TypeError);
    });

    it('refuses a command with keys in two slots and runs the others', async () => {
      const replies = await redslot(cluster)
        .pipeline()
        .set('foo', 1)
        .msetnx('a', 'secret', 'b', 'secret')
        .eval('return 1', 2, 'h1', 'a')
        .get('foo')
        .exec();
      assert.deepEqual(replies?.[0], [null, 'OK']);
      assert.deepEqual(replies?.[3], [null, '1']);
      const error = replies?.[1]?.[0] as RedslotError;
      assert.ok(error instanceof RedslotError);
      assert.equal(error.code, 'CROSS_SLOT');
      assert.equal(error.executed, 'no');
      assert.match(error.message, /MSETNX .*"a" in slot 15495, "b" in slot 3300/);
      assert.doesNotMatch(error.message, /secret/);
      const evalError = replies?.[2]?.[0] as RedslotError;
      assert.match(evalError.message, /EVAL .*"h1" in slot 9457, "a" in slot 15495/);
    });

    it('refuses same-node keys of different slots, as the server would', async () => {
      const replies = await redslot(cluster).pipeline().rename('aa', 'cc').get('aa').exec();
      assert.match(String(replies?.[0]?.[0]), /"aa" in slot 1180, "cc" in slot 700/);
      assert.equal(replies?.[1]?.[0], null);
    });

    it('sends nothing of a transaction and all that stands outside it', async () => {
      const pipeline = redslot(cluster).pipeline();
      pipeline.set('foo', 'outside');
      (pipeline as unknown as { multi(): void }).multi();
      pipeline.set('b', 'inside');
      pipeline.exec();
      pipeline.get('foo');
      await cluster.set('b', 'before');
      const replies = await pipeline.exec();
      assert.deepEqual(
        replies?.map(([error]) => (error as RedslotError | null)?.code ?? null),
        [null, 'UNSUPPORTED', 'UNSUPPORTED', 'UNSUPPORTED', null],
      );
      assert.deepEqual(replies?.[4], [null, 'outside']);
      assert.equal(await stored('b'), 'before');
    });

    it('refuses subscriptions and what changes the connection', async () => {
      const replies = await redslot(cluster)
        .pipeline([['subscribe', 'ch'], ['select', 1], ['quit'], ['client', 'reply', 'off']])
        .get('foo')
        .exec();
      assert.deepEqual(
        replies?.map(([error]) => (error as RedslotError | null)?.code ?? null),
        ['UNSUPPORTED', 'UNSUPPORTED', 'UNSUPPORTED', 'UNSUPPORTED', null],
      );
    });

    it('sends commands without a key to the primary of the lowest slot', async () => {
      const replies = await redslot(cluster).pipeline().ping().cluster('MYID').get('foo').exec();
      assert.deepEqual(replies?.[0], [null, 'PONG']);
      assert.equal(replies?.[1]?.[1], servers.primaries[0]?.id);
    });

    it('routes commands by their real keys wherever these stand', async () => {
      const slots = redslot(cluster);
      await slots
        .pipeline()
        .set('foo', 'v')
        .xadd('stream', '*', 'f', 'v')
        .del('list')
        .rpush('list', 3, 1)
        .exec();
      const replies = await slots
        .pipeline()
        .eval('return redis.call("get", KEYS[1])', 1, 'foo')
        .memory('USAGE', 'foo')
        .object('ENCODING', 'foo')
        .xread('COUNT', 1, 'STREAMS', 'stream', '0')
        .xinfo('STREAM', 'stream')
        .sort('list', 'ASC')
        .exec();
      assert.deepEqual(
        replies?.map(([error]) => error),
        new Array(6).fill(null),
      );
      assert.equal(replies?.[0]?.[1], 'v');
      assert.deepEqual(replies?.[5]?.[1], ['1', '3']);
    });

    it('takes the first argument of an unknown command as its key, or what keysOf says', async () => {
      const unknown = ['redslot.test', 'sub', 'foo'] as const;
      const [byFirst] = await redslot(cluster).explain([['call', ...unknown]]);
      assert.deepEqual(
        byFirst?.keys.map(({ key }) => key),
        ['sub'],
      );
      const keysOf = (name: string, args: readonly unknown[]) =>
        name === 'redslot.test' ? [args[1] as string] : [];
      const [byOption] = await redslot(cluster, { keysOf }).explain([['call', ...unknown]]);
      assert.deepEqual(
        byOption?.keys.map(({ key, slot }) => [key, slot]),
        [['foo', 12182]],
      );
      const replies = await redslot(cluster)
        .pipeline()
        .call(...unknown)
        .get('foo')
        .exec();
      assert.match(String(replies?.[0]?.[0]), /unknown command/);
      assert.equal(replies?.[1]?.[0], null);
    });

    it('resolves an empty pipeline without touching the network', async () => {
      const idle = connect({ lazyConnect: true });
      assert.deepEqual(await redslot(idle).pipeline().exec(), []);
      assert.equal(idle.status, 'wait');
    });

    it('connects a lazy cluster at the first exec', async () => {
      const lazy = connect({ lazyConnect: true });
      const replies = await redslot(lazy).pipeline().set('b', 1).set('foo', 1).exec();
      assert.deepEqual(replies, [
        [null, 'OK'],
        [null, 'OK'],
      ]);
    });

    it('applies a key prefix once and routes by the prefixed key', async () => {
      const prefixes: [ClusterSettings, string][] = [
        [{ keyPrefix: 'p:' }, 'p:'],
        [{ redisOptions: { keyPrefix: '{p}:' } }, '{p}:'],
        [{ keyPrefix: '{t', redisOptions: { keyPrefix: 'never:' } }, '{t'],
      ];
      for (const [options, prefix] of prefixes) {
        const slots = redslot(connect(options));
        const pipeline = slots.pipeline();
        for (const key of ['foo', 'bar', 'hello}']) pipeline.set(key, prefix + key);
        pipeline.set(Buffer.from('raw'), `${prefix}raw`).object('ENCODING', 'foo');
        const replies = await pipeline.exec();
        assert.deepEqual(
          replies?.map(([error]) => error),
          new Array(5).fill(null),
        );
        assert.ok(replies?.[4]?.[1], 'OBJECT ENCODING found the prefixed key');
        for (const key of ['foo', 'bar', 'hello}', 'raw']) {
          assert.equal(await stored(prefix + key), prefix + key);
        }
      }
    });

    it('runs scripts of defineCommand, also after SCRIPT FLUSH', async () => {
      const scripted = connect();
      scripted.defineCommand('redslotEcho', {
        numberOfKeys: 1,
        lua: 'return {KEYS[1], ARGV[1]}',
      });
      const run = () =>
        redslot(scripted)
          .pipeline([
            ['redslotEcho', 'b', '1'],
            ['redslotEcho', 'foo', '2'],
            ['redslotEchoBuffer', 'c', '3'],
          ])
          .exec();
      const expected = [
        ['b', '1'],
        ['foo', '2'],
        [Buffer.from('c'), Buffer.from('3')],
      ];
      assert.deepEqual(
        (await run())?.map(([, result]) => result),
        expected,
      );
      for (const primary of servers.primaries) await primary.ask('SCRIPT', 'FLUSH');
      assert.deepEqual(
        (await run())?.map(([, result]) => result),
        expected,
      );
    });

    it('finds its nodes behind natMap in both forms', async () => {
      const table = Object.fromEntries(
        servers.nodes.map(({ host, port }) => [`${host}:${port}`, { host: 'localhost', port }]),
      );
      // ioredis 5.0.0 takes the object form only.
      const translate = (key: string) => table[key] ?? null;
      const forms = release === 'ioredis 5.0.0' ? [table] : [table, translate];
      for (const natMap of forms) {
        const mapped = connect({ natMap, dnsLookup: (_host, done) => done(null, '127.0.0.1') });
        const replies = await redslot(mapped)
          .pipeline()
          .set('b', 'n')
          .set('foo', 'n')
          .get('b')
          .exec();
        assert.deepEqual(
          replies?.map(([, result]) => result),
          ['OK', 'OK', 'n'],
        );
      }
    });

    it('understands every reply form that ioredis can be set to', async () => {
      for (const redisOptions of [
        { stringNumbers: true },
        { protocol: 2 },
        { replyMapping: 'resp3' },
      ]) {
        const client = connect({ redisOptions: redisOptions as never });
        const map = await redslot(client).slotMap();
        assert.deepEqual(
          map.primaries.map(({ endpoint, ranges }) => [endpoint, ranges]),
          [
            [servers.primaries[0]?.endpoint, [[0, 5460]]],
            [servers.primaries[1]?.endpoint, [[5461, 10922]]],
            [servers.primaries[2]?.endpoint, [[10923, 16383]]],
          ],
        );
      }
    });

    it('rejects at once, with nothing sent, on a cluster that was closed', async () => {
      for (const close of ['disconnect', 'quit'] as const) {
        const client = connect();
        await client.get('foo');
        await client[close]();
        let told: unknown;
        const pipeline = redslot(client)
          .pipeline()
          .set('foo', 1, (error) => {
            told = error;
          });
        await assert.rejects(pipeline.exec(), { name: 'RedslotError', code: 'CLOSED' });
        assert.equal((told as RedslotError).code, 'CLOSED');
      }
    });

    it('explains without sending', async () => {
      const prefixed = connect({ keyPrefix: 'p:' });
      const explained = await redslot(prefixed).explain([
        ['set', 'foo', 'secret'],
        ['mget', 'foo', '{x}bar'],
        ['rename', 'a', 'b'],
        ['ping'],
        ['subscribe', 'ch'],
      ]);
      assert.deepEqual(explained[0]?.keys, [{ key: 'p:foo', slot: 13906, tag: null }]);
      assert.equal(explained[0]?.node?.endpoint, servers.primaries[2]?.endpoint);
      assert.equal(explained[0]?.refused, null);
      assert.equal(explained[1]?.pieces.length, 2);
      assert.equal(explained[2]?.refused?.code, 'CROSS_SLOT');
      assert.equal(explained[3]?.node?.endpoint, servers.primaries[0]?.endpoint);
      assert.equal(explained[4]?.refused?.code, 'UNSUPPORTED');
      assert.doesNotMatch(JSON.stringify(explained), /secret/);
    });
  });
}

describe('redslot', () => {
  it('refuses what is no ioredis Cluster', () => {
    for (const wrong of [null, undefined, {}, 'cluster', { isCluster: true }]) {
      assert.throws(() => redslot(wrong as never), TypeError);
    }
  });

  it('names an option that is out of range', () => {
    const [, Cluster] = releases[2];
    const cluster = new Cluster([{ port: 1 }], { lazyConnect: true });
    for (const [name, value] of [
      ['chunkCommands', 0],
      ['chunkBytes', 1.5],
      ['timeout', -1],
      ['topologyTimeout', 'soon'],
      ['keysOf', 'get'],
    ]) {
      assert.throws(
        () => redslot(cluster, { [name as string]: value }),
        (error: Error) => error instanceof TypeError && error.message.includes(name as string),
      );
    }
    cluster.disconnect();
  });

  it('adds no listeners however often one cluster is wrapped', () => {
    const [, Cluster] = releases[2];
    const cluster = new Cluster([{ port: 1 }], { lazyConnect: true });
    redslot(cluster);
    const before = cluster.listenerCount('refresh');
    for (let i = 0; i < 20; i++) redslot(cluster);
    assert.equal(cluster.listenerCount('refresh'), before);
    cluster.disconnect();
  });
});
