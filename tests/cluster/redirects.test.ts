import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keySlot } from 'redslot-wasm';
import {
  type RedslotError,
  type RedslotOptions,
  type Reordered,
  redslot,
} from 'redslot-wasm/ioredis';
import { releases } from './support/clients.ts';
import { errorAt } from './support/replies.ts';
import { bulk, error, integer, type Reply, type ScriptedNode, simple } from './support/scripted.ts';
import { scriptedStage } from './support/scripted-stage.ts';

const FAST: RedslotOptions = { retryDelayMin: 1, retryDelayMax: 5 };

/** `a` is in slot 15495 and `b` in 3300: the last and the first of two nodes. */
const A = keySlot('a');

for (const [release, Cluster] of releases) {
  describe(`redirects on ${release}`, () => {
    const start = scriptedStage(Cluster);

    const answer = (node: ScriptedNode, reply: Reply | (() => Reply)) => {
      node.script = ([name]) =>
        ['GET', 'SET', 'INCR', 'MGET'].includes(name?.toUpperCase() ?? '')
          ? typeof reply === 'function'
            ? reply()
            : reply
          : undefined;
    };

    it('follows MOVED for the named command alone, and the next batch needs none', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      second.script = ([name, key]) => {
        if (name !== 'incr') return undefined;
        return key === '{a}moved' ? error(`MOVED ${A} ${first.endpoint}`) : integer(2);
      };
      first.script = ([name]) => (name === 'incr' ? integer(1) : undefined);
      const slots = redslot(client, FAST);
      const batch = () => slots.pipeline().incr('{a}moved').incr('42').incr('b').exec();
      assert.equal(keySlot('42'), 8000);
      const moved = await batch();
      assert.deepEqual(
        moved?.map(([, value]) => value),
        [1, 1, 1],
      );
      assert.deepEqual(
        second.log.filter(([name]) => name === 'incr'),
        [['incr', '{a}moved']],
      );
      await batch();
      assert.equal(second.count('INCR'), 1, 'the second batch went to the right node at once');
      assert.equal(first.count('INCR', '{A}MOVED'), 2);
    });

    it('gives a newer map than one that a node gave before it had heard of the move', async () => {
      const { client, nodes, servers } = await start(2);
      const [first, second] = nodes;
      answer(second, error(`MOVED ${A} ${first.endpoint}`));
      answer(first, bulk('v'));
      const slots = redslot(client, FAST);
      await slots.pipeline().get('a').exec();
      assert.equal((await slots.slotMap()).nodeFor('a')?.endpoint, second.endpoint);
      servers.owners = () => [first];
      assert.equal((await slots.slotMap()).nodeFor('a')?.endpoint, first.endpoint);
    });

    it('fetches the topology once however many commands moved', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      await client.get('a').catch(() => {});
      const slots = redslot(client, FAST);
      await slots.slotMap();
      const before = first.count('CLUSTER', 'SLOTS') + second.count('CLUSTER', 'SLOTS');
      answer(second, error(`MOVED ${A} ${first.endpoint}`));
      answer(first, bulk('v'));
      const pipeline = slots.pipeline();
      for (let i = 0; i < 100; i++) pipeline.get(`{a}${i}`);
      const replies = await pipeline.exec();
      assert.ok(replies?.every(([, value]) => value === 'v'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const after = first.count('CLUSTER', 'SLOTS') + second.count('CLUSTER', 'SLOTS');
      assert.equal(after - before, 1);
    });

    it('keeps the order of a slot through MOVED', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      answer(second, error(`MOVED ${A} ${first.endpoint}`));
      answer(first, simple('OK'));
      const pipeline = redslot(client, { ...FAST, chunkCommands: 3 }).pipeline();
      for (let i = 0; i < 10; i++) pipeline.set('a', i);
      await pipeline.exec();
      assert.deepEqual(
        first.log.filter(([name]) => name === 'set').map(([, , value]) => value),
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
      );
    });

    it('sends ASKING right before each command that was answered ASK', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      second.script = ([name, key]) => {
        if (name !== 'get') return undefined;
        return key === '{a}here' ? bulk('here') : error(`ASK ${A} ${first.endpoint}`);
      };
      answer(first, bulk('there'));
      const slots = redslot(client, FAST);
      const replies = await slots.pipeline().get('{a}1').get('{a}here').get('{a}2').exec();
      assert.deepEqual(
        replies?.map(([, value]) => value),
        ['there', 'here', 'there'],
      );
      assert.deepEqual(
        first.log.filter(([name]) => name !== 'cluster'),
        [['asking'], ['get', '{a}1'], ['asking'], ['get', '{a}2']],
      );
      await slots.pipeline().get('{a}here').exec();
      assert.equal(second.count('GET', '{A}HERE'), 2, 'ASK teaches no route');
    });

    it('tells when a later command of the slot ran first', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      second.script = ([name, key]) => {
        if (name !== 'get') return undefined;
        return key === '{a}1' ? error(`ASK ${A} ${first.endpoint}`) : bulk('v');
      };
      answer(first, bulk('v'));
      const replies = await redslot(client, FAST).pipeline().get('{a}1').get('{a}2').exec();
      const flags = replies?.map((reply) => (reply as Reordered).reordered ?? false);
      assert.deepEqual(flags, [true, false]);
    });

    it('holds later commands of a slot while an earlier one is asked for elsewhere', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      const order: string[] = [];
      second.script = ([name, key, value]) => {
        if (name !== 'set') return undefined;
        order.push(`source ${value}`);
        return key === '{a}gone' ? error(`ASK ${A} ${first.endpoint}`) : simple('OK');
      };
      first.script = ([name, , value]) => {
        if (name !== 'set') return undefined;
        order.push(`target ${value}`);
        return simple('OK');
      };
      await redslot(client, { ...FAST, chunkCommands: 1 })
        .pipeline()
        .set('{a}gone', 1)
        .set('{a}here', 2)
        .set('{a}here', 3)
        .exec();
      assert.deepEqual(order, ['source 1', 'target 1', 'source 2', 'source 3']);
    });

    for (const code of ['TRYAGAIN x', 'LOADING x', 'MASTERDOWN x', 'CLUSTERDOWN x', 'READONLY x']) {
      it(`tries again after ${code.split(' ')[0]}, alone`, async () => {
        const { client, nodes } = await start(2);
        const [first, second] = nodes;
        let refusals = 2;
        answer(second, () => (refusals-- > 0 ? error(code) : bulk('v')));
        answer(first, bulk('w'));
        const replies = await redslot(client, FAST).pipeline().get('a').get('b').exec();
        assert.deepEqual(replies, [
          [null, 'v'],
          [null, 'w'],
        ]);
        assert.equal(second.count('GET'), 3);
        assert.equal(first.count('GET'), 1);
      });
    }

    it('gives the error of the server when waiting does not help', async () => {
      const { client, nodes } = await start(2, { maxRedirections: 5 });
      const [first, second] = nodes;
      answer(second, error('TRYAGAIN Multiple keys request during rehashing of slot'));
      answer(first, bulk('w'));
      const replies = await redslot(client, FAST).pipeline().mget('{a}1', '{a}2').get('b').exec();
      assert.equal(replies?.[0]?.[0]?.name, 'ReplyError');
      assert.match(String(replies?.[0]?.[0]), /TRYAGAIN/);
      assert.deepEqual(replies?.[1], [null, 'w']);
      assert.equal(second.count('MGET'), 6, 'the first attempt and five more');
    });

    it('ends within the budget when two nodes point at each other', async () => {
      const { client, nodes } = await start(2, { maxRedirections: 6 });
      const [first, second] = nodes;
      answer(second, error(`MOVED ${A} ${first.endpoint}`));
      answer(first, error(`MOVED ${A} ${second.endpoint}`));
      const replies = await redslot(client, FAST).pipeline().get('a').exec();
      const told = errorAt(replies, 0);
      assert.equal(told.code, 'REDIRECTS');
      assert.equal(told.executed, 'no');
      assert.equal(told.slot, A);
      assert.equal(told.trail.length, 7);
      assert.deepEqual(
        told.trail.slice(0, 2).map(({ node }) => node),
        [second.endpoint, first.endpoint],
      );
      assert.equal(first.count('GET') + second.count('GET'), 7);
    });

    it('ends within the budget when a node points at itself', async () => {
      const { client, nodes } = await start(2, { maxRedirections: 4 });
      const [, second] = nodes;
      answer(second, error(`MOVED ${A} ${second.endpoint}`));
      const replies = await redslot(client, FAST).pipeline().get('a').exec();
      assert.equal(errorAt(replies, 0).code, 'REDIRECTS');
      assert.equal(second.count('GET'), 5);
    });

    it('takes an empty host for that of the node that answered', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      answer(second, error(`MOVED ${A} :${first.port}`));
      answer(first, bulk('v'));
      assert.deepEqual(await redslot(client, FAST).pipeline().get('a').exec(), [[null, 'v']]);
    });

    it('asks the topology when the named node has no known hostname', async () => {
      const { client, nodes, servers } = await start(2);
      const [first, second] = nodes;
      const slots = redslot(client, FAST);
      await slots.slotMap();
      answer(second, error(`MOVED ${A} ?:${first.port}`));
      answer(first, bulk('v'));
      servers.owners = () => [first];
      assert.deepEqual(await slots.pipeline().get('a').exec(), [[null, 'v']]);
      assert.equal(second.count('GET'), 1);
    });

    it('waits a moment for the name of a primary that is announced as "?"', async () => {
      const { client, nodes, servers } = await start(2);
      const [, second] = nodes;
      const slots = redslot(client, FAST);
      await slots.slotMap();
      answer(second, bulk('v'));
      let nameless = 3;
      servers.hostOf = (node) => (node === second && nameless-- > 0 ? '?' : '127.0.0.1');
      client.emit('refresh');
      assert.deepEqual(await slots.pipeline().get('a').exec(), [[null, 'v']]);
      servers.hostOf = (node) => (node === second ? '?' : '127.0.0.1');
      client.emit('refresh');
      const told = errorAt(await slots.pipeline().get('a').exec(), 0);
      assert.equal(told.code, 'NO_NODE');
      assert.match(told.message, /announces no address/);
    });

    it('does not follow a redirect that is not well formed', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      for (const text of [
        'MOVED',
        `MOVED 16384 ${first.endpoint}`,
        `MOVED -1 ${first.endpoint}`,
        `MOVED __proto__ ${first.endpoint}`,
        `MOVED 1.5 ${first.endpoint}`,
        `MOVED ${A} 127.0.0.1`,
        `MOVED ${A} 127.0.0.1:0`,
        `MOVED ${A} 127.0.0.1:99999`,
        `ASK constructor ${first.endpoint}`,
        `MOVEDX ${A} ${first.endpoint}`,
      ]) {
        answer(second, error(text));
        const replies = await redslot(client, FAST).pipeline().get('a').exec();
        assert.equal(replies?.[0]?.[0]?.message, text);
      }
      assert.equal(first.count('GET'), 0);
      assert.equal(([] as unknown as Record<string, unknown>)[first.endpoint], undefined);
    });

    it('brings in a node that ioredis does not know', async () => {
      const { client, nodes, servers } = await start(3);
      const [first, second, third] = nodes as [ScriptedNode, ScriptedNode, ScriptedNode];
      let owners = [first, second];
      servers.owners = () => owners;
      await client.get('a').catch(() => {});
      await redslot(client).slotMap();
      owners = [first, third];
      answer(second, error(`MOVED ${A} ${third.endpoint}`));
      answer(third, bulk('v'));
      assert.deepEqual(await redslot(client, FAST).pipeline().get('a').exec(), [[null, 'v']]);
    });

    it('keeps the replies that came before a connection was lost, and sends nothing twice', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      let left = 3;
      second.script = ([name]) => {
        if (name !== 'incr') return undefined;
        return left-- > 0 ? integer(3 - left) : { close: true };
      };
      first.script = ([name]) => (name === 'incr' ? integer(9) : undefined);
      const pipeline = redslot(client, FAST).pipeline();
      for (let i = 0; i < 6; i++) pipeline.incr('a');
      const replies = await pipeline.incr('b').exec();
      assert.deepEqual(
        replies?.slice(0, 3).map(([, value]) => value),
        [1, 2, 3],
      );
      for (const [lost] of replies?.slice(3, 6) ?? []) {
        assert.equal((lost as RedslotError).code, 'NO_REPLY');
        assert.equal((lost as RedslotError).executed, 'unknown');
        assert.equal((lost as RedslotError).node, second.endpoint);
      }
      assert.deepEqual(replies?.[6], [null, 9]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(second.count('INCR'), 4, 'the fourth was read, and none came again');
    });

    it('counts a reply cut in the middle as none', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      answer(second, { close: true, first: '$5\r\nhal' });
      answer(first, bulk('w'));
      const replies = await redslot(client, FAST).pipeline().get('a').get('b').exec();
      assert.equal(errorAt(replies, 0).code, 'NO_REPLY');
      assert.deepEqual(replies?.[1], [null, 'w']);
    });

    it('gives up on a silent node after the timeout, and on no other', async () => {
      const { client, nodes } = await start(2);
      const [first, second] = nodes;
      answer(second, { silence: true });
      answer(first, bulk('w'));
      const begin = performance.now();
      const replies = await redslot(client, { ...FAST, timeout: 300, chunkCommands: 1 })
        .pipeline()
        .get('a')
        .get('{a}2')
        .get('b')
        .exec();
      assert.ok(performance.now() - begin < 1500);
      const [sent, unsent] = replies?.map(([told]) => told as RedslotError) ?? [];
      assert.deepEqual([sent?.code, sent?.executed], ['TIMEOUT', 'unknown']);
      assert.deepEqual([unsent?.code, unsent?.executed], ['TIMEOUT', 'no']);
      assert.deepEqual(replies?.[2], [null, 'w']);
    });
  });
}
