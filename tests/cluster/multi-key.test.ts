import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { PartialError, RedslotError, redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, type ClusterSettings, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { randomly } from './support/random.ts';
import { values } from './support/replies.ts';
import { bulk, error, type Reply, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';
import { stage } from './support/stage.ts';

/** Slots 15495, 3300, 7365 and 12182: two of them at the third primary. */
const KEYS = ['a', 'b', 'c', 'foo'];

let servers: TestCluster;
before(async () => {
  servers = await startCluster({ primaries: 3 });
});
after(() => servers?.stop());

const flush = () => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));

for (const [release, Cluster] of releases) {
  describe(`commands over several slots on ${release}`, () => {
    const clients = stage();
    const connect = (options: ClusterSettings = {}) => clients.connect(Cluster, servers, options);
    let cluster: ClusterInstance;
    before(() => {
      cluster = connect();
    });

    it('answer as a single server does, in their positions', async () => {
      await flush();
      const replies = await redslot(cluster)
        .pipeline()
        .mset({ a: 1, b: 2, c: 3, foo: 4 })
        .mget('foo', 'c', 'nope', 'b', 'a')
        .exists('a', 'a', 'b', 'nope')
        .touch('a', 'b', 'nope')
        .mgetBuffer('b', 'nope')
        .del('a', 'b', 'b')
        .unlink(['c', 'foo'])
        .mget(KEYS)
        .exec();
      assert.deepEqual(values(replies), [
        'OK',
        ['4', '3', null, '2', '1'],
        3,
        2,
        [Buffer.from('2'), null],
        2,
        2,
        [null, null, null, null],
      ]);
    });

    it('count duplicates, and keep the last value of a key', async () => {
      await flush();
      const slots = redslot(cluster);
      const doubled = [
        ['k1', 'a'],
        ['k2', 'b'],
        ['k1', 'c'],
      ] as const;
      assert.equal(await slots.mset(doubled), 'OK');
      assert.deepEqual(await slots.mget(['k1', 'k2', 'k1', 'k3']), ['c', 'b', 'c', null]);
      assert.equal(await slots.exists(['k1', 'k1']), 2);
      assert.equal(await slots.del(['k1', 'k1']), 1);
    });

    it('equal a model of one server, whatever is asked of which keys', async () => {
      await flush();
      const random = randomly(4711);
      const model = new Map<string, string>();
      const names = Array.from({ length: 9 }, (_, i) => `model:${i}`);
      const some = () =>
        Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
          return names[Math.floor(random() * names.length)] as string;
        });
      for (let round = 0; round < 15; round++) {
        const pipeline = redslot(cluster, {
          chunkCommands: 1 + Math.floor(random() * 9),
        }).pipeline();
        const expected: unknown[] = [];
        for (let i = 0; i < 40; i++) {
          const keys = some();
          const kind = Math.floor(random() * 5);
          if (kind === 0) {
            pipeline.mset(keys.flatMap((key, at) => [key, `${round}.${i}.${at}`]));
            for (const [at, key] of keys.entries()) model.set(key, `${round}.${i}.${at}`);
            expected.push('OK');
          } else if (kind === 1) {
            pipeline[i % 2 ? 'del' : 'unlink'](keys);
            expected.push(keys.filter((key) => model.delete(key)).length);
          } else if (kind === 2) {
            pipeline[i % 2 ? 'exists' : 'touch'](keys);
            expected.push(keys.filter((key) => model.has(key)).length);
          } else {
            pipeline.mget(keys);
            expected.push(keys.map((key) => model.get(key) ?? null));
          }
        }
        assert.deepEqual(values(await pipeline.exec()), expected);
      }
    });

    it('send one piece per slot, also where one primary serves several', async () => {
      await flush();
      const before = await calls('mget');
      // Slots 1180, 700 and 1180 again, all of the first primary.
      await redslot(cluster).mget(['aa', 'cc', '{aa}x']);
      assert.equal((await calls('mget')) - before, 2);
    });

    it('take pairs, a Map, an object, Buffers and a time to live', async () => {
      await flush();
      const slots = redslot(cluster);
      const binary = Buffer.of(0xac, 0xed, 0);
      await slots.mset(new Map<string | Buffer, string | Buffer>([[binary, binary]]));
      assert.deepEqual(await slots.mget([binary], { buffer: true }), [binary]);
      await slots.mset({ a: 'x', b: 2 }, { ttl: 60 });
      await slots.mset([['c', 'y']], { ttl: 0.25 });
      const ttls = values(await redslot(cluster).pipeline().ttl('a').ttl('b').pttl('c').exec());
      assert.deepEqual(ttls.slice(0, 2), [60, 60]);
      assert.ok((ttls[2] as number) > 0 && (ttls[2] as number) <= 250);
      assert.deepEqual(await slots.mget(['a', 'b', 'c']), ['x', '2', 'y']);
    });

    it('take bytes that are no Buffer, as load and scan do', async () => {
      await flush();
      const slots = redslot(cluster);
      const bytes = Uint8Array.of(0xac, 0xed, 0, 0x2a).subarray(1);
      const same = Buffer.from(bytes);
      await slots.mset([
        [bytes, bytes],
        ['b', bytes],
      ]);
      assert.deepEqual(await slots.mget([bytes, same, 'b'], { buffer: true }), [same, same, same]);
      assert.equal(await slots.del([bytes]), 1);
      await slots.mset([[bytes, bytes]], { ttl: 60 });
      assert.equal(await slots.exists([same]), 1);
      await slots.load([[bytes, 'x']]);
      assert.deepEqual(await slots.mget([same]), ['x']);
      const found: Buffer[] = [];
      for await (const key of slots.scan({ match: bytes, buffer: true })) found.push(key);
      assert.deepEqual(found, [same]);
    });

    it('do nothing for no keys', async () => {
      const closed = connect({ lazyConnect: true });
      const slots = redslot(closed);
      assert.deepEqual(await slots.mget([]), []);
      assert.equal(await slots.del(new Set<string>()), 0);
      assert.equal(await slots.mset({}), 'OK');
      assert.equal(closed.status, 'wait');
    });

    it('refuse what is no key, no value and no time, and name it', async () => {
      const slots = redslot(cluster);
      const wrong: [() => Promise<unknown>, RegExp][] = [
        [() => slots.mget('a' as never), /mget takes an array/],
        [() => slots.del(Buffer.from('a') as never), /del takes an array/],
        [() => slots.exists(['a', null] as never), /keys\[1\] must be a string or a Buffer/],
        [() => slots.mset([['a']] as never), /entries\[0\] must be a pair/],
        [() => slots.mset({ a: null } as never), /the value of "a" must be a string, a number/],
        [() => slots.mset({ a: 1 }, { ttl: 0 }), /ttl must be a positive number/],
        [() => slots.mset({ a: 1 }, { ttl: Number.NaN }), /ttl must be a positive number/],
      ];
      for (const [call, message] of wrong) {
        await assert.rejects(call, { name: 'TypeError', message });
      }
    });

    it('apply a key prefix once', async () => {
      await flush();
      const slots = redslot(connect({ keyPrefix: 'p:' }));
      await slots.mset({ a: 1, b: 2 });
      assert.deepEqual(await slots.mget(['a', 'b', 'c']), ['1', '2', null]);
      assert.deepEqual([...(await servers.contents()).keys()].sort(), ['p:a', 'p:b']);
    });

    it('are refused with splitMultiKey off, like those that cannot be split', async () => {
      await flush();
      const whole = redslot(cluster, { splitMultiKey: false });
      await assert.rejects(whole.mset({ a: 1, b: 2 }), { code: 'CROSS_SLOT', executed: 'no' });
      const replies = await redslot(cluster)
        .pipeline()
        .msetnx('a', 1, 'b', 2)
        .rename('a', 'b')
        .sinterstore('a', 'b', 'c')
        .eval('return 1', 2, 'a', 'b')
        .exec();
      for (const [refused] of replies ?? []) {
        assert.equal((refused as RedslotError).code, 'CROSS_SLOT');
        assert.match((refused as RedslotError).message, /"a" in slot 15495, "b" in slot 3300/);
      }
      assert.equal((await servers.contents()).size, 0);
    });

    it('tell what failed per key, and give the rest', async () => {
      await flush();
      await redslot(cluster).mset({ a: 1, b: 2, c: 3, foo: 4 });
      const second = servers.primaries[1];
      // The second primary serves c.
      await second?.ask('CONFIG', 'SET', 'maxmemory', '1');
      try {
        const writing = redslot(cluster).mset({ a: 5, b: 6, c: 7 });
        await assert.rejects(writing, (told: PartialError) => {
          assert.ok(told instanceof PartialError && told instanceof RedslotError);
          assert.equal(told.code, 'PARTIAL');
          assert.equal(told.executed, 'unknown');
          assert.equal(told.result, 'OK');
          assert.deepEqual(
            told.failures.map(({ error: _, ...rest }) => rest),
            [{ index: 2, key: 'c', slot: 7365, executed: 'no' }],
          );
          assert.match(
            told.message,
            /^MSET failed on one of its keys, first on "c" in slot 7365: OOM/,
          );
          return true;
        });
        await assert.rejects(redslot(cluster).mset({ a: 8, c: 9 }, { ttl: 9 }), {
          code: 'PARTIAL',
          message: /^SET failed on one of its keys, first on "c"/,
        });
        // Keys of one slot fail in the same way as those of several.
        await assert.rejects(redslot(cluster).mset({ c: 1, '{c}2': 2 }), (told: PartialError) => {
          assert.equal(told.name, 'PartialError');
          assert.equal(told.executed, 'no');
          assert.equal(told.result, null);
          assert.deepEqual(
            told.failures.map(({ index, key, slot }) => [index, key, slot]),
            [
              [0, 'c', 7365],
              [1, '{c}2', 7365],
            ],
          );
          return true;
        });
      } finally {
        await second?.ask('CONFIG', 'SET', 'maxmemory', '0');
      }
      assert.deepEqual(await redslot(cluster).mget(KEYS), ['8', '6', '3', '4']);
    });
  });

  describe(`pieces of a command on ${release}`, () => {
    const start = scriptedStage(Cluster);

    it('follow redirects and wait, each by itself', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      let asked = 0;
      second.script = ([name]) => {
        if (name !== 'mget') return undefined;
        asked += 1;
        return error(`MOVED ${keySlot('a')} ${first.endpoint}`);
      };
      let waited = 0;
      first.script = ([name, key]) => {
        if (name !== 'mget') return undefined;
        if (key === 'b' && waited++ < 2) return error('TRYAGAIN');
        return `*1\r\n${bulk(`value of ${key}`)}`;
      };
      const slots = redslot(client, { retryDelayMin: 1, retryDelayMax: 5 });
      assert.deepEqual(await slots.mget(['a', 'b']), ['value of a', 'value of b']);
      assert.equal(asked, 1);
    });

    it('keep what the others gave when one is lost', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      first.script = ([name]) => (name === 'mget' ? `*2\r\n${bulk('1')}${bulk('2')}` : undefined);
      second.script = ([name]) => (name === 'mget' ? { silence: true } : undefined);
      const reading = redslot(client).mget(['{b}1', 'a', '{b}2'], { timeout: 100 });
      await assert.rejects(reading, (told: PartialError) => {
        assert.deepEqual(told.result, ['1', null, '2']);
        const [failure] = told.failures;
        assert.equal(failure?.key, 'a');
        assert.equal(failure?.executed, 'unknown');
        assert.equal((failure?.error as RedslotError | undefined)?.code, 'TIMEOUT');
        return true;
      });
    });

    it('repeat no value that a server repeats', async () => {
      const { client, nodes } = await start(2);
      for (const node of nodes) {
        node.script = ([name, key, value]) => {
          const told = `ERR unknown command '${name}', with args beginning with: '${key}' '${value}' `;
          return name === 'mset' ? error(told) : undefined;
        };
      }
      await assert.rejects(redslot(client).mset({ a: 'secret', b: 'secret' }), (told: Error) => {
        assert.match(told.message, /in slot 15495: ERR unknown command 'mset'$/);
        return true;
      });
    });

    it('are divided once where TRYAGAIN answers several keys, and time out as one', async () => {
      const { client, nodes } = await start(2);
      const seen: string[] = [];
      for (const node of nodes) {
        node.script = ([name, ...keys]) => {
          if (name !== 'mget') return undefined;
          seen.push(keys.join(' '));
          if (new Set(keys).size > 1) return error('TRYAGAIN');
          return keys[0] === '{b}2'
            ? { silence: true }
            : `*${keys.length}\r\n${keys.map(bulk).join('')}`;
        };
      }
      const retryDelayMin = 30_000;
      const patient = redslot(client, { retryDelayMin, timeout: 20_000 });
      assert.deepEqual(await patient.mget(['{b}1', 'a', '{b}3', '{b}1']), [
        '{b}1',
        'a',
        '{b}3',
        '{b}1',
      ]);
      assert.deepEqual(seen.sort(), ['a', '{b}1 {b}1', '{b}1 {b}3 {b}1', '{b}3']);
      const hasty = redslot(client, { retryDelayMin, timeout: 1000 });
      await assert.rejects(hasty.mget(['{b}1', 'a', '{b}3', '{b}2']), (told: PartialError) => {
        assert.deepEqual(told.result, ['{b}1', 'a', '{b}3', null]);
        assert.deepEqual(
          told.failures.map(({ index, key, executed }) => [index, key, executed]),
          [[3, '{b}2', 'unknown']],
        );
        return true;
      });
    });

    it('take JSON.MGET and JSON.MSET apart', async () => {
      const { client, nodes } = await start(2);
      const seen: string[][] = [];
      for (const node of nodes) {
        node.script = (args): Reply | undefined => {
          const [name = '', ...rest] = args;
          if (!/^json/i.test(name)) return undefined;
          seen.push(args);
          if (/mset/i.test(name)) return simple('OK');
          const keys = rest.slice(0, -1);
          return `*${keys.length}\r\n${keys.map((key) => bulk(`[${key}]`)).join('')}`;
        };
      }
      const replies = await redslot(client)
        .pipeline([
          ['call', 'JSON.MGET', 'a', 'b', '{a}2', '$.x'],
          ['call', 'JSON.MSET', 'a', '$', '1', 'b', '$.y', '2'],
        ])
        .exec();
      assert.deepEqual(values(replies), [['[a]', '[b]', '[{a}2]'], 'OK']);
      assert.deepEqual(seen.map((args) => args.slice(1).join(' ')).sort(), [
        'a $ 1',
        'a {a}2 $.x',
        'b $.x',
        'b $.y 2',
      ]);
    });
  });
}

async function calls(command: string): Promise<number> {
  const stats = await Promise.all(
    servers.primaries.map((node) => node.ask('INFO', 'commandstats')),
  );
  return stats.reduce((sum, text) => {
    return sum + Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(String(text))?.[1] ?? 0);
  }, 0);
}
