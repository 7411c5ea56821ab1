import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keySlot } from 'redslot-wasm';
import { LoadError, type LoadProgress, type RedslotError, redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { error, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';

let servers: TestCluster;
before(async () => {
  servers = await startCluster({ primaries: 3 });
});
after(() => servers?.stop());

function* pairs(count: number): Generator<[string, string]> {
  for (let i = 0; i < count; i++) yield [`load:${i}`, `value ${i}`];
}

for (const [release, Cluster] of releases) {
  describe(`load on ${release}`, () => {
    let cluster: ClusterInstance;
    const start = scriptedStage(Cluster);
    before(() => {
      cluster = new Cluster(servers.startupNodes);
    });
    after(() => cluster.disconnect());
    const flush = () => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
    const sizes = () =>
      Promise.all(servers.primaries.map((node) => node.ask('DBSIZE') as Promise<number>));

    it('writes what any kind of source gives, and says so in figures', async () => {
      const kinds = {
        array: [...pairs(2500)],
        generator: pairs(2500),
        'async generator': (async function* () {
          yield* pairs(2500);
        })(),
        stream: Readable.from(pairs(2500)),
        Map: new Map(pairs(2500)),
      };
      for (const [kind, source] of Object.entries(kinds)) {
        await flush();
        const told: LoadProgress[] = [];
        const summary = await redslot(cluster).load(source, { onProgress: (p) => told.push(p) });
        const written = (await sizes()).reduce((sum, size) => sum + size, 0);
        assert.equal(written, 2500, kind);
        assert.deepEqual(
          [summary.read, summary.written, summary.failed, summary.complete],
          [2500, 2500, 0, true],
        );
        const nodes = servers.primaries.map(({ endpoint }) => summary.nodes[endpoint]?.written);
        assert.deepEqual(nodes, await sizes(), kind);
        assert.equal(told.at(-1)?.written, 2500);
        assert.ok(
          told.every(({ written }, i) => i === 0 || written >= (told[i - 1]?.written ?? 0)),
        );
      }
      assert.equal(await cluster.get('load:7'), 'value 7');
    });

    it('writes whole commands, and pairs with a time to live', async () => {
      await flush();
      const commands = [
        ['zadd', 'board', 7, 'ann'],
        ['hset', 'user', 'name', Buffer.from('ann')],
        ['mset', 'a', 1, 'b', 2],
      ] as const;
      const summary = await redslot(cluster).load(commands, { commands: true });
      assert.deepEqual([summary.written, summary.failed], [3, 0]);
      assert.equal(await cluster.zscore('board', 'ann'), '7');
      assert.deepEqual(await redslot(cluster).mget(['a', 'b']), ['1', '2']);
      await redslot(cluster).load([['k', 'v']], { ttl: 50 });
      assert.equal(await cluster.ttl('k'), 50);
    });

    it('goes on after errors, or stops, and tells the positions of the first', async () => {
      await flush();
      await cluster.lpush('list', 'x');
      const commands = Array.from({ length: 3000 }, (_, i) => {
        return i % 100 === 42 ? ['incr', 'list'] : ['set', `e:${i}`, i];
      }) as [string, ...unknown[]][];
      const all = await redslot(cluster).load(commands, { commands: true, keepFailures: 3 });
      assert.deepEqual([all.written, all.failed], [2970, 30]);
      assert.deepEqual(
        all.failures.map(({ position, command, key }) => [position, command, key]),
        [
          [42, 'incr', 'list'],
          [142, 'incr', 'list'],
          [242, 'incr', 'list'],
        ],
      );
      assert.match(all.failures[0]?.error.message ?? '', /^WRONGTYPE/);
      let read = 0;
      const counted = (function* () {
        for (const command of commands) {
          read += 1;
          yield command;
        }
      })();
      const options = { commands: true, onError: 'stop', inFlight: 50 } as const;
      const stopped = await redslot(cluster).load(counted, options);
      assert.equal(stopped.complete, false);
      assert.ok(stopped.failed >= 1 && read < 200, `${read} items were read`);
    });

    it('keeps the order of a slot from one portion to the next, through redirects', async () => {
      const { client, nodes } = await start(2);
      const seen: string[] = [];
      let turn = 0;
      for (const [at, node] of nodes.entries()) {
        const other = nodes[1 - at];
        node.script = ([name, , value = '']) => {
          if (name !== 'set') return undefined;
          if (turn++ % 700 === 3) return error(`MOVED ${keySlot('a')} ${other?.endpoint}`);
          seen.push(value);
          return simple('OK');
        };
      }
      const values = Array.from({ length: 5000 }, (_, i) => String(i));
      const source = values.map((value) => ['a', value] as const);
      const slots = redslot(client, { chunkCommands: 90, retryDelayMin: 1, retryDelayMax: 2 });
      const summary = await slots.load(source);
      assert.equal(summary.failed, 0);
      // Where a later one had run already, the earlier one ran after it and was told as such.
      assert.equal(new Set(seen).size, 5000);
      assert.equal(seen.length, 5000);
      const late = seen.filter((value, i) => i > 0 && Number(value) < Number(seen[i - 1])).length;
      assert.ok(late <= 20, `${late} values came late`);
    });

    it('reads no more than is in flight from a source, however slow a node is', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      const counts = { first: 0, second: 0 };
      first.script = ([name]) => {
        if (name !== 'set') return undefined;
        counts.first += 1;
        return simple('OK');
      };
      second.script = ([name]) => {
        if (name !== 'set') return undefined;
        counts.second += 1;
        return { silence: true };
      };
      let read = 0;
      const endless = (function* (): Generator<[string, string]> {
        for (;;) yield [`k${read++}`, 'v'];
      })();
      const controller = new AbortController();
      const { signal } = controller;
      const loading = redslot(client).load(endless, { inFlight: 400, signal });
      await sleep(300);
      // The silent node holds what is in flight; the other has done all of its share.
      assert.ok(read >= 400 && read <= counts.first + 400, `${read} read, ${counts.first} done`);
      const before = read;
      await sleep(100);
      assert.equal(read, before);
      controller.abort(new Error('enough'));
      await assert.rejects(loading, (told: LoadError) => {
        assert.ok(told instanceof LoadError);
        assert.equal(told.code, 'ABORTED');
        assert.equal(told.summary.read, read);
        assert.equal(told.summary.written, counts.first);
        assert.equal(told.summary.written + told.summary.failed, read);
        assert.equal(told.summary.unknown, counts.second);
        const [failure] = told.summary.failures;
        assert.equal((failure?.error as RedslotError | undefined)?.executed, 'unknown');
        return true;
      });
    });

    it('ends its source when it stops, and tells what the source threw', async () => {
      await flush();
      let closed = 0;
      async function* failing(): AsyncGenerator<[string, string]> {
        try {
          yield* pairs(10);
          throw new Error('the file is broken');
        } finally {
          closed += 1;
        }
      }
      await assert.rejects(redslot(cluster).load(failing()), (told: LoadError) => {
        assert.equal(told.code, 'FAILED');
        assert.match(told.message, /after 10 items: the file is broken/);
        assert.equal(told.summary.written, 10);
        return true;
      });
      function* wrong(): Generator<[string, string]> {
        try {
          yield ['a', 'b'];
          yield ['a'] as never;
        } finally {
          closed += 1;
        }
      }
      await assert.rejects(redslot(cluster).load(wrong()), {
        code: 'FAILED',
        message: /item 1 must be a pair of key and value/,
      });
      assert.equal(closed, 2);
    });

    it('ends at once when it is aborted while the source gives nothing', async () => {
      const controller = new AbortController();
      const silent = new Readable({ objectMode: true, read() {} });
      silent.push(['a', 'b']);
      const loading = redslot(cluster).load(silent, { signal: controller.signal });
      await sleep(100);
      assert.equal(await cluster.get('a'), 'b', 'what was given is written meanwhile');
      controller.abort();
      await assert.rejects(loading, { code: 'ABORTED' });
      assert.equal(silent.destroyed, true);
    });

    it('goes on over a connection after a function of the application threw', async () => {
      const natMap = (address: string) => {
        if (address.endsWith(':7')) throw new Error('no such address');
        return null;
      };
      const { client, nodes } = await start(1, { natMap: natMap as never });
      let answers = 0;
      nodes[0].script = ([name]) => {
        if (name !== 'set') return undefined;
        return answers++ === 10 ? error(`MOVED ${keySlot('k10')} 127.0.0.1:7`) : simple('OK');
      };
      const source = Array.from({ length: 5000 }, (_, i) => [`k${i}`, 'v'] as const);
      const summary = await redslot(client).load(source, { timeout: 1000, inFlight: 2000 });
      const codes = summary.failures.map(({ error }) => (error as RedslotError).code);
      assert.deepEqual([...new Set(codes)], ['FAILED']);
      assert.ok(summary.written >= 2900 && summary.seconds < 1, JSON.stringify(summary));
    });

    it('ends although the keys of a command cannot be told, or it has no name', async () => {
      const keysOf = () => {
        throw new Error('not known');
      };
      const odd = redslot(cluster, { keysOf }).load([['MOD.X', 'a']], { commands: true });
      const { failures } = await odd;
      assert.deepEqual(
        failures.map(({ key, error }) => [key, error.message]),
        [[null, 'not known']],
      );
      await assert.rejects(redslot(cluster).load([['call']], { commands: true }), {
        code: 'FAILED',
        message: /item 0 must be a command/,
      });
    });

    it('is aborted as well when its source has ended and replies are missing', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = ([name]) => (name === 'set' ? { silence: true } : undefined);
      const signal = AbortSignal.timeout(100);
      await assert.rejects(redslot(client).load([['a', 'b']], { signal }), (told: LoadError) => {
        assert.equal(told.code, 'ABORTED');
        assert.deepEqual([told.summary.complete, told.summary.failed], [true, 1]);
        return true;
      });
    });

    it('refuses options out of range and what is no source', async () => {
      const wrong: [unknown, object, RegExp][] = [
        [7, {}, /load takes an array/],
        ['text', {}, /load takes an array/],
        [[], { inFlight: 0 }, /inFlight must be an integer from 1/],
        [[], { onError: 'ignore' }, /onError must be/],
        [[], { ttl: -1 }, /ttl must be a positive number/],
        [[], { ttl: 1, commands: true }, /ttl is for pairs/],
        [[], { timeout: 0 }, /timeout must be an integer/],
      ];
      for (const [source, options, message] of wrong) {
        const loading = redslot(cluster).load(source as never, options);
        await assert.rejects(loading, { name: 'TypeError', message });
      }
    });
  });
}

describe('load of a million short SETs', () => {
  it('stays within a heap of 256 MB', async (context) => {
    const script = `
      import { Cluster } from 'ioredis';
      import { redslot } from 'redslot-wasm/ioredis';
      const cluster = new Cluster(${JSON.stringify(servers.startupNodes)});
      function* pairs() { for (let i = 0; i < 1e6; i++) yield ['m:' + i, 'v']; }
      const { written, failed, seconds } = await redslot(cluster).load(pairs());
      console.log(JSON.stringify({ written, failed, seconds }));
      cluster.disconnect();
    `;
    const args = ['--max-old-space-size=256', '--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = (await child.stdout.toArray()).join('');
    const { written, failed, seconds } = JSON.parse(output);
    context.diagnostic(`a million SETs in ${Math.round(seconds)} s`);
    assert.deepEqual([written, failed], [1_000_000, 0]);
  });
});
