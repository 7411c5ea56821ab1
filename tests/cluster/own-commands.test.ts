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

/** What has no tracing: the oldest release, and the fork of a later one. */
const UNTRACED: ReadonlySet<string> = new Set(['ioredis-5.0', 'iovalkey']);

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
  getKeys(): unknown[];
  getSlot(): number;
  toWritable(): string | Buffer;
}

type Transformer = (args: unknown[]) => unknown[];

interface CommandClass {
  _transformer: { argument: Record<string, Transformer | undefined> };
  setArgumentTransformer(
    name: string,
    transformer: Transformer | undefined,
    includeCommand?: boolean,
  ): void;
}

/** ioredis' own class of a recorded command. */
function commandOf(pipeline: unknown): CommandClass {
  const own = pipeline as { ping(): void; _queue: object[] };
  own.ping();
  return own._queue[0]?.constructor as unknown as CommandClass;
}

/** Each with keys of one slot; some plain, some not. */
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
  ['hset', '{k}h', ['c', 3, 'd', 4]],
  ['hmset', '{k}h', ['e', 5]],
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
  ['mset', '{k}1', 1, '{k}2', Buffer.from('b')],
  ['mset', { '{k}3': 3 }],
  ['mset', new Map([['{k}4', '4']])],
  ['mget', '{k}1', '{k}2', '{k}none'],
  ['mget', ['{k}3', '{k}4']],
  ['mget', ['{k}3'], '{k}4'],
  ['mgetBuffer', '{k}1', '{k}none'],
  ['touch', ['{k}1', '{k}2']],
  ['del', '{k}1', '{k}none'],
  ['set', 7, 7],
  ['xadd', '{k}x', '1-1', 'f', 'v'],
  ['xrange', '{k}x', '-', '+'],
];

for (const [release, Cluster, module] of releases) {
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

    it('leave to ioredis what an application changed of it', async () => {
      const cluster = clients.connect(Cluster, servers);
      await cluster.set('a', 'x');
      const slots = redslot(cluster);
      const Command = commandOf(cluster.pipeline());
      const before = Command._transformer.argument.set;
      Command.setArgumentTransformer('set', ([key, value, ...rest]) => [
        key,
        `z:${value}`,
        ...rest,
      ]);
      let called = 0;
      try {
        await slots
          .pipeline()
          .set('b', 1, () => {
            called += 1;
          })
          .set('c', 1)
          .exec();
        await slots.mset([['foo', 1]], { ttl: 60 });
        await slots.load([['a', 1]]);
      } finally {
        if (before) Command.setArgumentTransformer('set', before);
        else delete Command._transformer.argument.set;
      }
      assert.deepEqual(await slots.mget(['a', 'b', 'c', 'foo']), ['z:1', 'z:1', 'z:1', 'z:1']);
      assert.equal(called, 1);

      const methods = Object.getPrototypeOf(cluster.pipeline()) as Record<string, unknown>;
      methods.strlen = function (this: { call(...args: unknown[]): unknown }) {
        return this.call('get', 'a');
      };
      try {
        const replies = await slots.pipeline().strlen('b').exec();
        assert.deepEqual(replies, [[null, 'z:1']]);
      } finally {
        delete methods.strlen;
      }
    });

    const renames = module === 'iovalkey' ? false : 'only iovalkey has transformers that rename';
    it('leave to it what renames a command', { skip: renames }, async () => {
      const cluster = clients.connect(Cluster, servers);
      await cluster.hset('{k}r', 'f', 'v');
      const Command = commandOf(cluster.pipeline());
      Command.setArgumentTransformer('get', ([, key]) => ['hget', key, 'f'], true);
      try {
        const pipeline = redslot(cluster)
          .pipeline()
          .get('{k}r')
          .getBuffer('{k}r')
          .strlen('{k}none');
        assert.deepEqual(await pipeline.exec(), [
          [null, 'v'],
          [null, Buffer.from('v')],
          [null, 0],
        ]);
      } finally {
        Command.setArgumentTransformer('get', undefined);
      }
    });

    it('tell a function in scaleReads their keys and slot', async () => {
      const seen: unknown[] = [];
      const scaleReads = (nodes: unknown[], command: Recorded) => {
        seen.push(command.name, command.getKeys(), command.getSlot());
        return nodes[0];
      };
      const cluster = clients.connect(Cluster, servers, { scaleReads } as object);
      await redslot(cluster).pipeline().get('a').mget('b', 'foo').exec();
      assert.deepEqual(seen, ['get', ['a'], 15495, 'mget', ['b'], 3300, 'mget', ['foo'], 12182]);
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

    it('are traced to their end', { skip: UNTRACED.has(module) }, async () => {
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
