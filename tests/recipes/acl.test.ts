import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Cluster } from 'ioredis';
import { PartialError, redslot } from 'redslot-wasm/ioredis';
import { CLIENT_RULES, connectAs, rulesOf } from '../../examples/recipes/acl.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import type { ClusterNode } from '../cluster/support/node.mjs';
import { errorAt, values } from '../cluster/support/replies.ts';
import { moveKeys, openSlot } from '../cluster/support/slots.mjs';

const USER = 'app';
const PASSWORD = 'made up';
/** Keys of three primaries: slots 3300, 7365 and 12182. */
const [B, C, FOO] = ['cart:{b}', 'cart:{c}', 'cart:{foo}'];
const SLOT = 12182;

describe('the ACL recipe', () => {
  let servers: TestCluster;
  const clients: Cluster[] = [];
  before(async () => {
    servers = await startCluster({ primaries: 3 });
  });
  beforeEach(() => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL'))));
  after(async () => {
    for (const client of clients) client.disconnect();
    await servers?.stop();
  });

  const allow = (rules: string[]) =>
    Promise.all(servers.nodes.map((node) => node.ask('ACL', 'SETUSER', USER, ...rules)));

  /** The rules of the recipe without one of those for the client. */
  const without = (rule: string) =>
    rulesOf(PASSWORD, 'cart:*', ['+@read', '+@write']).filter((one) => one !== rule);

  function connect(): Cluster {
    const client = connectAs(USER, PASSWORD, servers.startupNodes);
    client.on('error', () => {});
    clients.push(client);
    return client;
  }

  it('lets a user with few rights run pipelines on all primaries', async () => {
    await allow(rulesOf(PASSWORD, 'cart:*', ['+set', '+get', '+mget']));
    const slots = redslot(connect());
    const replies = await slots.pipeline().set(B, 1).set(C, 2).set(FOO, 3).mget(B, C, FOO).exec();
    assert.deepEqual(values(replies), ['OK', 'OK', 'OK', ['1', '2', '3']]);
  });

  it('makes NOPERM the error of its command or key alone', async () => {
    await allow(rulesOf(PASSWORD, 'cart:*', ['+set', '+mget', '+incr']));
    const slots = redslot(connect());
    const replies = await slots.pipeline().set(B, 1).get(B).set('other', 1).incr(B).exec();
    assert.deepEqual(
      replies?.map(([error, value]) => error?.message.split(' ')[0] ?? value),
      ['OK', 'NOPERM', 'NOPERM', 2],
    );
    await assert.rejects(slots.mget([B, 'other', C]), (error: PartialError) => {
      assert.ok(error instanceof PartialError);
      assert.deepEqual(error.result, ['2', null, null]);
      const [failure, ...more] = error.failures;
      assert.deepEqual([failure?.key, failure?.executed, more.length], ['other', 'no', 0]);
      assert.match(String(failure?.error), /NOPERM/);
      return true;
    });
  });

  it('follows a slot that moves, which takes the right to ASKING', async () => {
    const [target, , source] = servers.primaries as [ClusterNode, ClusterNode, ClusterNode];
    await source.ask('SET', FOO, 'went');
    await openSlot(SLOT, source, target);
    try {
      await moveKeys(SLOT, source, target, [FOO]);
      await allow(rulesOf(PASSWORD, 'cart:*', ['+get']));
      assert.deepEqual(values(await redslot(connect()).pipeline().get(FOO).exec()), ['went']);

      await allow(without('+asking'));
      const options = { retryDelayMin: 1, retryDelayMax: 2 };
      const replies = await redslot(connect(), options).pipeline().get(FOO).get(B).exec();
      const { code, executed, message } = errorAt(replies, 0);
      assert.deepEqual([code, executed], ['REDIRECTS', 'no']);
      assert.match(message, /\. ASKING was refused: NOPERM .*'asking'/);
      assert.deepEqual(replies?.[1], [null, null]);
    } finally {
      await Promise.all([target.ask('ASKING'), target.ask('DEL', FOO)]);
      for (const node of [source, target]) await node.ask('CLUSTER', 'SETSLOT', SLOT, 'STABLE');
    }
  });

  for (const rule of ['+cluster|slots', '+cluster|info']) {
    it(`sends nothing without ${rule}, and says so`, async () => {
      assert.ok(CLIENT_RULES.includes(rule));
      await allow(without(rule));
      const client = connect();
      const running = redslot(client, { topologyTimeout: 500 }).pipeline().set(B, 1).exec();
      await assert.rejects(running as Promise<unknown>, {
        code: 'TOPOLOGY',
        executed: 'no',
        // ioredis keeps to itself what it was told about CLUSTER INFO.
        message: rule === '+cluster|slots' ? / said: NOPERM .*'cluster/ : /within 500 ms/,
      });
      assert.equal((await servers.contents()).size, 0);
    });
  }
});
