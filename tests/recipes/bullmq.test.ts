import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Queue, Worker } from 'bullmq';
import { Cluster } from 'ioredis';
import { CrossSlotError } from 'redslot-wasm';
import { openQueue, slotOfQueue } from '../../examples/recipes/bullmq.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import { until } from '../cluster/support/until.mjs';

describe('the BullMQ recipe', () => {
  let servers: TestCluster;
  let connection: Cluster;
  before(async () => {
    servers = await startCluster({ primaries: 3 });
    connection = new Cluster(servers.startupNodes, {
      redisOptions: { maxRetriesPerRequest: null },
    });
    connection.on('error', () => {});
  });
  after(async () => {
    connection?.disconnect();
    await servers?.stop();
  });

  it('refuses a queue without braces before the server does', async () => {
    assert.throws(
      () => openQueue('mail', { connection }),
      (error: CrossSlotError) => {
        assert.ok(error instanceof CrossSlotError);
        assert.match(error.message, /"bull:mail:wait": slot \d+/);
        const wait = error.keys.find(({ key }) => key === 'bull:mail:wait');
        assert.equal(wait?.tag, null);
        return true;
      },
    );
    const queue = new Queue('mail', { connection });
    queue.on('error', () => {});
    await assert.rejects(queue.add('send', {}), /^ReplyError: CROSSSLOT /);
    await queue.close();
  });

  it('runs the jobs of queues with a prefix each, in the slot that the server says', async () => {
    for (const name of ['mail', 'orders']) {
      const prefix = `{${name}}`;
      const queue = openQueue(name, { prefix, connection });
      const results: number[] = [];
      const worker = new Worker(name, async ({ data }) => data.number * 2, { prefix, connection });
      worker.on('completed', (_, result) => results.push(result));
      try {
        await queue.addBulk([1, 2, 3].map((number) => ({ name: 'double', data: { number } })));
        await until('the jobs have run', () => results.length === 3);
        assert.deepEqual(
          results.sort((a, b) => a - b),
          [2, 4, 6],
        );
        const slot = await servers.primaries[0]?.ask(
          'CLUSTER',
          'KEYSLOT',
          `${prefix}:${name}:wait`,
        );
        assert.equal(slotOfQueue(name, prefix), slot);
      } finally {
        await worker.close();
        await queue.close();
      }
    }
    assert.notEqual(slotOfQueue('mail', '{mail}'), slotOfQueue('orders', '{orders}'));
  });

  it('knows every key that BullMQ has written', async () => {
    const queue = openQueue('audit', { prefix: '{audit}', connection });
    await queue.add('late', {}, { delay: 60_000 });
    await queue.add('now', {}, { priority: 2 });
    await queue.add('next', {});
    const expected = slotOfQueue('audit', '{audit}');
    const keys = (
      await Promise.all(servers.primaries.map((node) => node.ask('KEYS', '*audit*')))
    ).flat();
    assert.ok(keys.length >= 7, keys.join(' '));
    const slots = await Promise.all(
      keys.map((key) => servers.primaries[0]?.ask('CLUSTER', 'KEYSLOT', key)),
    );
    assert.deepEqual(new Set(slots), new Set([expected]));
    await queue.close();
  });
});
