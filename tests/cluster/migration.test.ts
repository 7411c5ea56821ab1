import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import type { ClusterNode } from './support/node.mjs';
import { closeSlot, moveKeys, openSlot } from './support/slots.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

/** Of `{foo}`; it belongs to the third primary, and `b` to the first. */
const SLOT = 12182;

describe('a slot in migration', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let source: ClusterNode;
  let target: ClusterNode;
  before(async () => {
    servers = await start({ primaries: 3 });
    [target, , source] = servers.primaries as [ClusterNode, ClusterNode, ClusterNode];
  });

  beforeEach(async () => {
    await source.ask('MSET', '{foo}stays', 's', '{foo}went', 'w', '{foo}went too', 't');
    await target.ask('SET', 'b', 'elsewhere');
    await openSlot(SLOT, source, target);
    await moveKeys(SLOT, source, target, ['{foo}went', '{foo}went too']);
  });
  afterEach(async () => {
    if ((await ownerOf(source)) === source.id) {
      await remove(target);
      for (const node of [source, target]) await node.ask('CLUSTER', 'SETSLOT', SLOT, 'STABLE');
    } else {
      await servers.settled();
      await servers.moveSlot(SLOT, target.port, source.port);
      await servers.settled();
    }
    await remove(source);
  });

  async function finish(): Promise<void> {
    await moveKeys(SLOT, source, target);
    await closeSlot(SLOT, source, target);
  }

  async function remove(node: ClusterNode): Promise<void> {
    for (const key of ['{foo}stays', '{foo}went', '{foo}went too', '{foo}new']) {
      await Promise.all([node.ask('ASKING'), node.ask('DEL', key)]);
    }
  }

  /** Which node `node` takes for the owner of the slot. */
  async function ownerOf(node: ClusterNode): Promise<string | undefined> {
    const ranges: [number, number, [string, number, string]][] = await node.ask('CLUSTER', 'SLOTS');
    return ranges.find(([first, last]) => first <= SLOT && SLOT <= last)?.[2][2];
  }

  for (const [release, Cluster] of releases) {
    describe(`on ${release}`, () => {
      let cluster: ClusterInstance;
      before(() => {
        cluster = connect(Cluster, servers);
      });

      it('is read on the side that has the key', async () => {
        const replies = await redslot(cluster)
          .pipeline()
          .get('{foo}stays')
          .get('{foo}went')
          .get('{foo}new')
          .get('b')
          .exec();
        assert.deepEqual(replies, [
          [null, 's'],
          [null, 'w'],
          [null, null],
          [null, 'elsewhere'],
        ]);
      });

      it('is written on the side that has the key, and new keys on the target', async () => {
        const replies = await redslot(cluster)
          .pipeline()
          .append('{foo}stays', '+')
          .append('{foo}went', '+')
          .append('{foo}new', '+')
          .append('b', '+')
          .exec();
        assert.deepEqual(replies, [
          [null, 2],
          [null, 2],
          [null, 1],
          [null, 10],
        ]);
        assert.equal(await source.ask('GET', '{foo}stays'), 's+');
        await finish();
        const stored = await servers.contents();
        assert.deepEqual(
          ['{foo}stays', '{foo}went', '{foo}new', 'b'].map((key) => stored.get(key)),
          ['s+', 'w+', '+', 'elsewhere+'],
        );
      });

      it('deletes present keys on both sides and counts absent ones as 0', async () => {
        const replies = await redslot(cluster)
          .pipeline()
          .del('{foo}stays')
          .del('{foo}went')
          .del('{foo}new')
          .exec();
        assert.deepEqual(replies, [
          [null, 1],
          [null, 1],
          [null, 0],
        ]);
        await finish();
        assert.equal(await target.ask('EXISTS', '{foo}stays', '{foo}went', '{foo}new'), 0);
      });

      it('runs the commands on a new key in call order', async () => {
        const replies = await redslot(cluster)
          .pipeline()
          .set('{foo}new', 1)
          .incr('{foo}new')
          .incr('{foo}new')
          .get('{foo}new')
          .exec();
        assert.deepEqual(
          replies?.map(([, value]) => value),
          ['OK', 2, 3, '3'],
        );
      });

      it('is asked once for each command, by ASK, and teaches no route', async () => {
        const slots = redslot(cluster);
        await slots.pipeline().get('b').exec();
        const [asks, moves] = [await servers.errorCount('ASK'), await servers.errorCount('MOVED')];
        for (let i = 1; i <= 3; i++) {
          const replies = await slots.pipeline().get('{foo}stays').get('{foo}went').exec();
          assert.deepEqual(
            replies?.map(([, value]) => value),
            ['s', 'w'],
          );
          assert.equal((await servers.errorCount('ASK')) - asks, i);
        }
        assert.equal(await servers.errorCount('MOVED'), moves);
      });

      it('answers MGET when all its keys are on one side', async () => {
        const replies = await redslot(cluster)
          .pipeline()
          .mget('{foo}stays', '{foo}stays')
          .mget('{foo}went', '{foo}went too')
          .exec();
        assert.deepEqual(
          replies?.map(([, value]) => value),
          [
            ['s', 's'],
            ['w', 't'],
          ],
        );
      });

      it('answers commands over several slots at once, with keys on both sides', async () => {
        const slots = redslot(cluster, { retryDelayMin: 2000 });
        const keys = ['{foo}stays', 'b', '{foo}went', '{foo}new', '{foo}went'];
        const begin = performance.now();
        assert.deepEqual(await slots.mget(keys), ['s', 'elsewhere', 'w', null, 'w']);
        assert.equal(await slots.exists(keys), 4);
        const replies = await slots
          .pipeline()
          .append('{foo}went', '1')
          .mget(keys)
          .exists(keys)
          .mset('{foo}stays', 'x', '{foo}went', 'y', 'b', 'z', '{foo}went', 'w')
          .append('{foo}went', '2')
          .mget(...keys)
          .get('{foo}went')
          .del('b', '{foo}stays', '{foo}went', '{foo}went', '{foo}new')
          .exec();
        assert.deepEqual(replies, [
          [null, 2],
          [null, ['s', 'elsewhere', 'w1', null, 'w1']],
          [null, 4],
          [null, 'OK'],
          [null, 2],
          [null, ['x', 'z', 'w2', null, 'w2']],
          [null, 'w2'],
          [null, 3],
        ]);
        assert.ok(performance.now() - begin < 1000, 'it did not wait');
      });

      it('answers MGET with keys on both sides once the migration has ended', async () => {
        const refused = await servers.errorCount('TRYAGAIN');
        const told: string[] = [];
        const running = redslot(cluster)
          .pipeline()
          .mget('{foo}stays', '{foo}went', () => told.push('both sides'))
          .get('b', () => told.push('elsewhere'))
          .exec();
        await until('the server has answered TRYAGAIN', async () => {
          return (await servers.errorCount('TRYAGAIN')) > refused + 1;
        });
        await finish();
        assert.deepEqual(await running, [
          [null, ['s', 'w']],
          [null, 'elsewhere'],
        ]);
        assert.deepEqual(told, ['elsewhere', 'both sides']);
      });

      it('leaves TRYAGAIN at its position, and no other, when the migration outlasts the budget', async () => {
        const hasty = connect(Cluster, servers, { maxRedirections: 3 });
        const replies = await redslot(hasty, { retryDelayMin: 1, retryDelayMax: 2 })
          .pipeline()
          .mget('{foo}stays', '{foo}went')
          .get('{foo}went')
          .get('b')
          .exec();
        assert.equal(replies?.[0]?.[0]?.name, 'ReplyError');
        assert.match(String(replies?.[0]?.[0]), /TRYAGAIN/);
        assert.deepEqual(replies?.slice(1), [
          [null, 'w'],
          [null, 'elsewhere'],
        ]);
      });
    });
  }
});
