import assert from 'node:assert/strict';
import { tracingChannel } from 'node:diagnostics_channel';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type PartialError, redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { error, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';
import { stage } from './support/stage.ts';

/** In two slots, of the last and the first of two nodes. */
const [A, B] = ['a', 'b'];

const argument = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', 'x'.repeat(100_000), Buffer.alloc(70_000, 7)),
);

type Recording = Record<string, (...args: unknown[]) => unknown>;

interface Recorded {
  name: string;
  args: unknown[];
  toWritable(): string | Buffer;
}

/** Each on a key of one slot, so that ioredis records them too; some plain, some not. */
const CALLS: [string, ...unknown[]][] = [
  ['set', '{k}', 'é'],
  ['set', Buffer.from('{k}b'), Buffer.from([0xff, 0])],
  ['set', '{k}n', 12.5],
  ['set', '{k}e', ''],
  ['set', '{k}z', null],
  ['setex', '{k}t', 100, true],
  ['get', '{k}'],
  ['getBuffer', '{k}b'],
  ['get', ['{k}n']],
  ['get', '{k}none'],
  ['incrbyfloat', '{k}n', -0],
  ['hset', '{k}h', { f: 1, g: Buffer.from('x') }],
  ['hset', '{k}h', new Map([['m', 'v']])],
  ['hset', '{k}h', 'a', 1, 'b', 2],
  ['hget', '{k}h', 'a'],
  ['hgetall', '{k}h'],
  ['hgetallBuffer', '{k}h'],
  ['hmget', '{k}h', 'a', 'none'],
  ['zadd', '{k}s', 1, 'one', 2, 'two'],
  ['zrange', '{k}s', 0, -1, 'WITHSCORES'],
  ['zscore', '{k}s', 'one'],
  ['rpush', '{k}l', ['x', 'y'], 'z'],
  ['lrange', '{k}l', 0, -1],
  ['lrangeBuffer', '{k}l', 0, -1],
  ['type', '{k}l'],
  ['exists', '{k}l', '{k}none'],
  ['xadd', '{k}x', '1-1', 'f', 'v'],
  ['xrange', '{k}x', '-', '+'],
];

for (const [at, [release, Cluster]] of releases.entries()) {
  describe(`commands that the package makes itself on ${release}`, () => {
    const clients = stage();
    const start = scriptedStage(Cluster);
    let servers: TestCluster;
    before(async () => {
      servers = await clients.start({ primaries: 2 });
    });

    it('write the same keys and values as those of ioredis', async () => {
      const plain = clients.connect(Cluster, servers);
      // A Buffer that is no UTF-8 is one that ioredis itself writes with a wrong length.
      const prefixes = ['', 'p{é}:', Buffer.from('p{é}:')];
      for (const keyPrefix of prefixes) {
        const options = keyPrefix === '' ? {} : { redisOptions: { keyPrefix } };
        const cluster = clients.connect(Cluster, servers, options as object);
        const pair = fc.tuple(argument, argument);
        await fc.assert(
          fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 30 }), async (pairs) => {
            const wire = pairs.map(([key]) => Buffer.concat([bytes(keyPrefix), bytes(key)]));
            const twin = new Map<string, Buffer>();
            for (const [i, [key, value]] of pairs.entries()) {
              await cluster.set(key, value);
              twin.set(String(wire[i]?.toString('latin1')), bytes(value));
            }
            const written = () => Promise.all(wire.map((key) => plain.getBuffer(key)));
            assert.deepEqual(
              await written(),
              wire.map((key) => twin.get(key.toString('latin1'))),
            );
            const slots = redslot(cluster);
            for (const write of [
              () => slots.load(pairs),
              () => slots.mset(pairs),
              () => slots.mset(pairs, { ttl: 60 }),
            ]) {
              await Promise.all(wire.map((key) => plain.del(key)));
              await write();
              assert.deepEqual(
                await written(),
                wire.map((key) => twin.get(key.toString('latin1'))),
              );
            }
          }),
          { numRuns: 10 },
        );
      }
    });

    it('are recorded and answered as those of ioredis', async () => {
      for (const keyPrefix of ['', 'p{é}:', Buffer.from('p{é}:')]) {
        const cluster = clients.connect(Cluster, servers, { keyPrefix } as object);
        const [ours, own] = [redslot(cluster).pipeline(), cluster.pipeline()];
        for (const pipeline of [ours, own] as unknown as Recording[]) {
          for (const [method, ...args] of CALLS) pipeline[method]?.(...args);
        }
        const recorded = [ours, own].map((pipeline) =>
          (pipeline as unknown as { _queue: Recorded[] })._queue.map((command) => [
            command.name,
            command.args,
            Buffer.from(command.toWritable()),
          ]),
        );
        assert.deepEqual(recorded[0], recorded[1]);
        const classes = [ours, own].map(
          (pipeline) => (pipeline as unknown as { _queue: object[] })._queue[0]?.constructor,
        );
        assert.notEqual(classes[0], classes[1]);
        const replies: unknown[] = [];
        await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
        for (const [method, ...args] of CALLS) {
          replies.push([null, await (cluster as unknown as Recording)[method]?.(...args)]);
        }
        await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
        assert.deepEqual(await ours.exec(), replies);
      }
    });

    it('end with commandTimeout when their node is silent', async () => {
      const { client, nodes } = await start(2, { redisOptions: { commandTimeout: 100 } });
      nodes[0].script = ([name]) =>
        name === 'mget' || name === 'set' ? { silence: true } : undefined;
      nodes[1].script = ([name]) => (name === 'mget' ? '*1\r\n$1\r\nx\r\n' : undefined);
      const slots = redslot(client);
      const told = (await slots.mget([A, B]).catch((reason) => reason)) as PartialError;
      assert.deepEqual(
        told.failures.map(({ key, executed }) => [key, executed]),
        [[B, 'unknown']],
      );
      assert.deepEqual(told.result, ['x', null]);
      const summary = await slots.load([[B, 'x']]);
      assert.deepEqual([summary.failed, summary.unknown], [1, 1]);
    });

    // The oldest release has no tracing.
    it('are traced to their end', { skip: at === 0 }, async () => {
      const { client, nodes } = await start(2);
      nodes[0].script = ([name]) => (name === 'set' ? error('OOM no room') : undefined);
      nodes[1].script = ([name]) => (name === 'set' ? simple('OK') : undefined);
      const slots = redslot(client);
      await slots.slotMap();
      const events: string[] = [];
      const note = (event: string) => (message: unknown) => {
        const { command, error } = message as { command: string; error?: Error };
        if (command === 'set' || command === 'mget') {
          events.push(`${event} ${command}${error ? ` ${error.message}` : ''}`);
        }
      };
      const subscribers = {
        start: note('start'),
        end: () => {},
        asyncStart: () => {},
        asyncEnd: note('end'),
        error: note('error'),
      };
      const channel = tracingChannel('ioredis:command');
      channel.subscribe(subscribers);
      try {
        await slots.load([
          [A, 'x'],
          [B, 'x'],
        ]);
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        channel.unsubscribe(subscribers);
      }
      assert.deepEqual(events.sort(), [
        'end set',
        'end set OOM no room',
        'error set OOM no room',
        'start set',
        'start set',
      ]);
    });
  });
}

function bytes(value: string | Uint8Array): Buffer {
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(value);
}
