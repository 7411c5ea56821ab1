import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { keySlot } from 'redslot-wasm';
import { type RedslotOptions, redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import { errorAt, values } from './support/replies.ts';
import { bulk, error, integer, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';

const FAST: RedslotOptions = { retryDelayMin: 1, retryDelayMax: 5 };

/** `a` is in slot 15495 and `b` in 3300: the last and the first of two nodes. */
const A = keySlot('a');

for (const [release, Cluster, module] of releases) {
  describe(`what is told on ${release}`, () => {
    const start = scriptedStage(Cluster);

    const echo = ([name, key]: string[]) =>
      name === 'set' ? simple('OK') : name === 'get' ? bulk(`value of ${key}`) : undefined;

    it('leaves a command with too few arguments to the server, and harms no other', async () => {
      const { client, nodes } = await start(2);
      for (const node of nodes) node.script = echo;
      const slots = redslot(client, FAST);
      for (const short of [
        ['rename', 'a'],
        ['mget'],
        ['smove', 'a'],
        ['get'],
        ['object', 'encoding'],
      ]) {
        const pipeline = slots.pipeline().set('b', 1).set('a', 2);
        (pipeline as unknown as { call(...args: string[]): void }).call(...short);
        const replies = await pipeline.exec();
        assert.deepEqual(
          replies?.slice(0, 2),
          [
            [null, 'OK'],
            [null, 'OK'],
          ],
          short.join(' '),
        );
        assert.deepEqual(values(await slots.pipeline().get('a').exec()), ['value of a']);
      }
    });

    it('tells every command of a batch that cannot be planned', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = echo;
      const told: unknown[] = [];
      const pipeline = redslot(client)
        .pipeline()
        .get('a', (error) => told.push(error));
      (pipeline as unknown as { call(): void }).call();
      await assert.rejects(pipeline.exec() as Promise<unknown>, TypeError);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(told[0] instanceof TypeError);
      assert.equal(nodes[0].count('GET'), 0);
    });

    it('keeps replies with their commands when one cannot be serialized', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = echo;
      const slots = redslot(client, FAST);
      const pipeline = slots.pipeline().get('a').set('b', 1).get('c');
      const queue = (pipeline as unknown as { _queue: { toWritable(): string }[] })._queue;
      (queue[1] as { toWritable(): string }).toWritable = () => {
        throw new RangeError('Invalid string length');
      };
      const replies = await pipeline.exec();
      assert.deepEqual(replies?.[0], [null, 'value of a']);
      assert.equal(replies?.[1]?.[0]?.message, 'Invalid string length');
      assert.deepEqual(replies?.[2], [null, 'value of c']);
      assert.equal(await client.get('d'), 'value of d');
    });

    it('gives the error of a reply transformer once, and never sends for it again', async () => {
      const { client, nodes } = await start(1);
      let executed = 0;
      nodes[0].script = ([name]) => (name === 'hincrby' ? integer(++executed) : undefined);
      const { Command } = createRequire(import.meta.url)(module);
      Command.setReplyTransformer('hincrby', () => {
        throw new Error('cannot read this');
      });
      try {
        const slots = redslot(client, { ...FAST, resend: 'all', timeout: 3000 });
        const replies = await slots.pipeline().hincrby('a', 'f', 1).exec();
        assert.equal(replies?.[0]?.[0]?.message, 'cannot read this');
        assert.equal(executed, 1);
      } finally {
        Command.setReplyTransformer('hincrby', (value: unknown) => value);
      }
    });

    it('heals NOSCRIPT in its place, within the timeout', async () => {
      const { client, nodes } = await start(1);
      client.defineCommand('bump', { numberOfKeys: 1, lua: 'return redis.call("incr", KEYS[1])' });
      let forgotten = false;
      let silent = false;
      nodes[0].script = ([name]) => {
        if (name === 'eval') return silent ? { silence: true } : integer(1);
        if (name !== 'evalsha') return undefined;
        return forgotten ? error('NOSCRIPT No matching script. Please use EVAL.') : integer(1);
      };
      const slots = redslot(client, { ...FAST, timeout: 500, chunkCommands: 1 });
      const bump = (times: number) => slots.pipeline(new Array(times).fill(['bump', 'a'])).exec();
      assert.deepEqual(values(await bump(2)), [1, 1]);
      forgotten = true;
      assert.deepEqual(values(await bump(1)), [1]);
      await slots.pipeline().exec();
      silent = true;
      const told = errorAt(await bump(1), 0);
      assert.deepEqual([told.code, told.executed], ['TIMEOUT', 'unknown']);
    });

    it('passes NOSCRIPT of a plain EVALSHA through', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = ([name]) => (name === 'evalsha' ? error('NOSCRIPT No script') : undefined);
      const replies = await redslot(client, FAST).pipeline().evalsha('f00d', 1, 'a').exec();
      assert.equal(replies?.[0]?.[0]?.message, 'NOSCRIPT No script');
      assert.equal(nodes[0].count('EVALSHA'), 1);
    });

    it('sends nothing more after the timeout, scripts included', async () => {
      const { client, nodes } = await start(1);
      client.defineCommand('bump', { numberOfKeys: 1, lua: 'return 1' });
      nodes[0].script = ([name]) =>
        name === 'get' ? error('TRYAGAIN') : name?.startsWith('eval') ? integer(1) : undefined;
      const slots = redslot(client, { retryDelayMin: 2000, timeout: 200, chunkCommands: 1 });
      const batch = slots.pipeline([
        ['get', '{a}1'],
        ['bump', '{a}1'],
        ['bump', '{a}2'],
      ]);
      const replies = await batch.exec();
      for (const i of [0, 1, 2]) assert.equal(errorAt(replies, i).executed, 'no');
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(nodes[0].log.filter(([name]) => name?.startsWith('eval')).length, 0);
    });

    it('stays unsure about a command once an attempt got no reply', async () => {
      const { client, nodes } = await start(1, { maxRedirections: 1 });
      let arrived = 0;
      nodes[0].script = ([name]) => {
        if (name !== 'incr') return undefined;
        arrived += 1;
        return arrived === 1 ? { close: true } : error(`MOVED ${A} 127.0.0.1:1`);
      };
      const slots = redslot(client, { ...FAST, resend: 'all' });
      const told = errorAt(await slots.pipeline().incr('a').exec(), 0);
      assert.deepEqual([told.code, told.executed], ['REDIRECTS', 'unknown']);
      assert.match(told.message, /earlier attempt/);
    });

    it('tells what commandTimeout gave up on as unknown while its chunk is under way', async () => {
      const { client, nodes } = await start(2, { redisOptions: { commandTimeout: 300 } });
      const [first, second] = nodes;
      const slots = redslot(client, { chunkCommands: 2 });
      await slots.slotMap();
      second.script = ([name]) => {
        return name === 'set' ? error(`MOVED ${A} ${first.endpoint}`) : undefined;
      };
      first.script = ([name]) => {
        if (name === 'set') return { silence: true };
        return name === 'get' ? { late: '$1\r\nx\r\n', after: 150 } : undefined;
      };
      // The time of "a" starts with its first attempt, that of "b" when they leave together.
      const signal = AbortSignal.timeout(375);
      const batch = slots.pipeline([], { signal }).get('b').get('b').set('b', 1).set('a', 1);
      const replies = await batch.exec();
      assert.equal(first.log.filter(([name]) => name === 'set').length, 2);
      for (const at of [2, 3]) {
        const { code, executed } = errorAt(replies, at);
        assert.deepEqual([code, executed], ['ABORTED', 'unknown']);
      }
    });

    it('tells a commandTimeout that passes between two tries as not executed', async () => {
      const { client, nodes } = await start(1, { redisOptions: { commandTimeout: 100 } });
      await client.get('b').catch(() => {});
      nodes[0].script = ([name]) => (name === 'set' ? error('CLUSTERDOWN x') : undefined);
      const slots = redslot(client, { retryDelayMin: 1000 });
      const told = errorAt(await slots.pipeline().set('a', 1).exec(), 0);
      assert.deepEqual([told.code, told.executed], ['TIMEOUT', 'no']);
    });

    it('asks the topology when the node that MOVED named is dead', async () => {
      const { client, nodes } = await start(2);
      let asked = 0;
      nodes[1].script = ([name]) => {
        if (name !== 'set') return undefined;
        return asked++ === 0 ? error(`MOVED ${A} 127.0.0.1:1`) : simple('OK');
      };
      assert.deepEqual(values(await redslot(client).pipeline().set('a', 1).exec()), ['OK']);
    });

    it('tells what may have been executed when natMap throws midway', async () => {
      const { client, nodes } = await start(2);
      nodes[0].script = echo;
      nodes[1].script = ([name]) =>
        name === 'set' ? error(`MOVED ${A} 10.0.0.9:7000`) : undefined;
      const slots = redslot(client, { ...FAST, timeout: 2000 });
      await slots.slotMap();
      const replies = slots.pipeline().set('b', 1).set('a', 1).exec();
      client.options.natMap = (address) => {
        if (address.startsWith('10.')) throw new Error('no such address');
        return null;
      };
      const told = errorAt(await replies, 1);
      assert.deepEqual([told.code, told.executed], ['FAILED', 'no']);
      assert.equal((told.cause as Error).message, 'no such address');
    });

    it('keeps topologyTimeout although every node is silent', async () => {
      const { client, nodes } = await start(2);
      const slots = redslot(client, { topologyTimeout: 300 });
      await new Promise((resolve) => client.once('ready', () => resolve(null)));
      for (const node of nodes)
        node.script = ([name]) => (name === 'cluster' ? { silence: true } : undefined);
      const begin = performance.now();
      await assert.rejects(slots.slotMap(), { code: 'TOPOLOGY' });
      assert.ok(performance.now() - begin < 1500);
    });

    it('says why a cluster object gave up while it was starting', async () => {
      const client = new Cluster([{ host: '127.0.0.1', port: 1 }], {
        clusterRetryStrategy: () => null,
      });
      client.on('error', () => {});
      await assert.rejects(redslot(client).pipeline().get('a').exec() as Promise<unknown>, {
        code: 'CLOSED',
        message: /127\.0\.0\.1:1 said: /,
      });
    });

    it('says why no node was reached within the timeout', async () => {
      const client = new Cluster([{ host: '127.0.0.1', port: 1 }]);
      client.on('error', () => {});
      const replies = await redslot(client, { timeout: 300 }).pipeline().get('a').exec();
      client.disconnect();
      const told = errorAt(replies, 0);
      assert.deepEqual([told.code, told.executed], ['TIMEOUT', 'no']);
      assert.match(told.message, /timeout of 300 ms; 127\.0\.0\.1:1 said: /);
    });

    it('gives no argument of the command away with the cause of an error', async () => {
      const { client, nodes } = await start(2, { maxRedirections: 2 });
      for (const node of nodes) {
        node.script = ([name]) => {
          return name === 'set' ? error(`MOVED ${A} ${node.endpoint}`) : undefined;
        };
      }
      const replies = await redslot(client, FAST).pipeline().set('a', 'my secret').exec();
      const refused = errorAt(replies, 0);
      assert.equal(refused.code, 'REDIRECTS');
      assert.match(String(refused.cause), /^ReplyError: MOVED/);
      assert.doesNotMatch(inspect(refused, { depth: null, showHidden: true }), /secret/);
    });

    it('takes a signal of another AbortSignal class', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = ([name]) => (name === 'get' ? { silence: true } : undefined);
      const listeners: (() => void)[] = [];
      const signal = {
        aborted: false,
        addEventListener: (_: string, listener: () => void) => listeners.push(listener),
        removeEventListener: () => listeners.splice(0),
      };
      const replies = redslot(client)
        .pipeline([['get', 'a']], { signal: signal as never })
        .exec();
      while (nodes[0].count('GET') === 0) await new Promise((resolve) => setImmediate(resolve));
      for (const listener of [...listeners]) listener();
      assert.equal(errorAt(await replies, 0).code, 'ABORTED');
      assert.equal(listeners.length, 0);
    });

    it('takes an undefined option of a batch for none', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = ([name]) => (name === 'get' ? { silence: true } : undefined);
      const own = { timeout: undefined } as object;
      const replies = await redslot(client, { timeout: 100 })
        .pipeline([['get', 'a']], own)
        .exec();
      assert.equal(errorAt(replies, 0).code, 'TIMEOUT');
    });

    it('opens no connection for a cluster that is being closed', async () => {
      const { client, nodes } = await start(2);
      nodes[1].script = ([name]) => (name === 'set' ? error(`MOVED ${A} 127.0.0.1:1`) : undefined);
      const slots = redslot(client, FAST);
      await slots.slotMap();
      await slots.pipeline().get('b').exec();
      const replies = slots.pipeline().set('a', 1).exec();
      while (nodes[1].count('SET') === 0) await new Promise((resolve) => setImmediate(resolve));
      client.disconnect();
      assert.notEqual((await replies)?.[0]?.[0], null);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(
        client
          .nodes('all')
          .map(({ options }) => options.port)
          .filter((p) => p === 1),
        [],
      );
    });
  });
}
