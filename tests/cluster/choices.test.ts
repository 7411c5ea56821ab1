import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import { type RedslotOptions, redslot } from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import { errorAt, values } from './support/replies.ts';
import { bulk, error, integer, type ScriptedNode } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';

const FAST: RedslotOptions = { retryDelayMin: 1, retryDelayMax: 5 };

/** `a` is in slot 15495 and `b` in 3300: the last and the first of two nodes. */
const A = keySlot('a');

for (const [release, Cluster] of releases) {
  describe(`choices on ${release}`, () => {
    const start = scriptedStage(Cluster);

    /** Closes the connection on the first command that is not of the handshake. */
    function breakOnce(node: ScriptedNode) {
      let broken = false;
      node.script = ([name]) => {
        if (name !== 'incr' && name !== 'get') return undefined;
        if (!broken) {
          broken = true;
          return { close: true };
        }
        return name === 'incr' ? integer(7) : bulk('v');
      };
    }

    it('sends reads again after a lost connection when asked to, and no write', async () => {
      const { client, nodes } = await start(1);
      const slots = redslot(client, FAST);
      await slots.slotMap();
      breakOnce(nodes[0]);
      const replies = await slots
        .pipeline([], { resend: 'reads' })
        .get('a')
        .incr('b')
        .get('b')
        .exec();
      assert.deepEqual(replies?.[0], [null, 'v']);
      assert.equal(errorAt(replies, 1).executed, 'unknown');
      assert.equal(errorAt(replies, 1).attempts, 1);
      assert.deepEqual(replies?.[2], [null, 'v']);
      assert.equal(nodes[0].count('INCR'), 0, 'it was never read, and not sent again');
    });

    it('writes to every node before any has answered', async () => {
      const { client, nodes } = await start(3);
      for (const node of nodes) {
        node.script = ([name, key = '']) => {
          if (name !== 'get') return undefined;
          return { late: String(bulk(`value of ${key}`)), after: 200 };
        };
      }
      const slots = redslot(client);
      await slots.slotMap();
      const begin = performance.now();
      const replies = await slots.pipeline().get('b').get('c').get('a').exec();
      assert.deepEqual(values(replies), ['value of b', 'value of c', 'value of a']);
      assert.ok(performance.now() - begin < 550, 'one node after the other would take 600 ms');
    });

    it('sends everything again when asked to', async () => {
      const { client, nodes } = await start(1);
      const slots = redslot(client, { ...FAST, resend: 'all' });
      await slots.slotMap();
      breakOnce(nodes[0]);
      assert.deepEqual(values(await slots.pipeline().incr('b').get('a').exec()), [7, 'v']);
      assert.equal(nodes[0].count('INCR'), 2);
    });

    it('rejects when aborted before anything was sent', async () => {
      const { client, nodes } = await start(1);
      const reason = new Error('changed my mind');
      const pipeline = redslot(client).pipeline([['incr', 'a']], {
        signal: AbortSignal.abort(reason),
      });
      await assert.rejects(pipeline.exec(), { code: 'ABORTED', executed: 'no', cause: reason });
      assert.equal(nodes[0].count('INCR'), 0);
    });

    it('tells what had been sent when aborted later', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      const control = new AbortController();
      const arrived = new Set<ScriptedNode>();
      const arrive = (node: ScriptedNode) => {
        if (arrived.add(node).size === 2) setTimeout(() => control.abort(), 50);
      };
      first.script = ([name]) => {
        if (name !== 'incr') return undefined;
        arrive(first);
        return integer(1);
      };
      second.script = ([name]) => {
        if (name !== 'incr') return undefined;
        arrive(second);
        return { silence: true };
      };
      const replies = await redslot(client, { chunkCommands: 1 })
        .pipeline([], { signal: control.signal })
        .incr('b')
        .incr('a')
        .incr('{a}2')
        .exec();
      assert.deepEqual(replies?.[0], [null, 1]);
      assert.deepEqual(
        [errorAt(replies, 1).code, errorAt(replies, 1).executed],
        ['ABORTED', 'unknown'],
      );
      assert.deepEqual([errorAt(replies, 2).code, errorAt(replies, 2).executed], ['ABORTED', 'no']);
    });

    it('lets the timeout of a batch cover a topology that does not come', async () => {
      const { client, nodes } = await start(1);
      await redslot(client).slotMap();
      nodes[0].script = ([name]) => (name === 'cluster' ? { silence: true } : undefined);
      client.emit('refresh');
      const replies = await redslot(client)
        .pipeline([['incr', 'a']], { timeout: 100 })
        .exec();
      assert.deepEqual([errorAt(replies, 0).code, errorAt(replies, 0).executed], ['TIMEOUT', 'no']);
    });

    it('publishes batches, redirects and refreshes', async () => {
      const messages: [string, unknown][] = [];
      const listen = (message: unknown, name: string | symbol) => {
        messages.push([String(name), message]);
      };
      const channels = ['redslot:batch', 'redslot:redirect', 'redslot:refresh'];
      for (const name of channels) subscribe(name, listen);
      try {
        const { client, nodes } = await start(2);
        const [first, second] = nodes;
        second.script = ([name]) =>
          name === 'get' ? error(`MOVED ${A} ${first.endpoint}`) : undefined;
        first.script = ([name]) => (name === 'get' ? bulk('v') : undefined);
        await redslot(client, FAST).pipeline().get('a').get('b').msetnx('a', 1, 'b', 2).exec();
        const of = (name: string) => messages.filter(([which]) => which === name).map(([, m]) => m);
        const [batch] = of('redslot:batch') as [{ milliseconds: number }];
        assert.ok(batch.milliseconds > 0);
        assert.deepEqual(
          { ...batch, milliseconds: 0 },
          { commands: 3, errors: 1, milliseconds: 0 },
        );
        assert.deepEqual(of('redslot:redirect'), [
          { answer: 'MOVED', slot: A, from: second.endpoint, to: first.endpoint },
        ]);
        assert.ok(of('redslot:refresh').some((m) => (m as { primaries: number }).primaries === 2));
      } finally {
        for (const name of channels) unsubscribe(name, listen);
      }
    });

    it('warns when ioredis itself would send again', async () => {
      const warned = once(process, 'warning');
      const { client } = await start(1, { clusterNodeRetryStrategy: () => 10 });
      redslot(client);
      const [warning] = (await warned) as [Error & { code: string }];
      assert.equal(warning.code, 'REDSLOT_RESEND');
      assert.match(warning.message, /autoResendUnfulfilledCommands/);
    });

    it('reports what was outstanding on a connection that reconnects', async () => {
      const { client, nodes } = await start(1, {
        clusterNodeRetryStrategy: () => 10,
        redisOptions: { autoResendUnfulfilledCommands: false },
      });
      const slots = redslot(client, FAST);
      await slots.slotMap();
      breakOnce(nodes[0]);
      const replies = await slots.pipeline().incr('a').exec();
      assert.equal(errorAt(replies, 0).code, 'NO_REPLY');
      assert.deepEqual(values(await slots.pipeline().incr('a').exec()), [7]);
    });

    it('shares its listeners among all batches that wait for a connection', async () => {
      const warnings: Error[] = [];
      const listen = (warning: Error) => warnings.push(warning);
      process.on('warning', listen);
      try {
        const { client, nodes } = await start(2);
        for (const node of nodes)
          node.script = ([name]) => (name === 'get' ? bulk('v') : undefined);
        const slots = redslot(client, FAST);
        const batches = Array.from({ length: 200 }, () =>
          slots.pipeline().get('a').get('b').exec(),
        );
        for (const replies of await Promise.all(batches))
          assert.deepEqual(values(replies), ['v', 'v']);
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(warnings, []);
      } finally {
        process.off('warning', listen);
      }
    });

    it('does not start before the cluster is connected, and does not wait for ever', async () => {
      const { client, nodes } = await start(1);
      nodes[0].script = () => ({ silence: true });
      const begin = performance.now();
      await assert.rejects(redslot(client, { topologyTimeout: 200 }).pipeline().get('a').exec(), {
        name: 'RedslotError',
        code: 'TOPOLOGY',
      });
      assert.ok(performance.now() - begin < 2000);
    });
  });
}
