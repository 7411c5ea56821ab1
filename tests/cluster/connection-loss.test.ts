import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { slotTag } from 'redslot-wasm';
import { type RedslotError, redslot } from 'redslot-wasm/ioredis';
import { type ClusterInstance, releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { Counters, codes } from './support/counters.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

/** 50 keys of each primary; those of the first come first. */
const KEYS = [0, 6000, 12_000].flatMap((slot) =>
  Array.from({ length: 50 }, (_, i) => `{${slotTag(slot + i)}}${i}`),
);

describe('connections that a server closes', () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let first: ClusterNode;
  before(async () => {
    servers = await start({ primaries: 3 });
    first = servers.primaries[0] as ClusterNode;
  });
  afterEach(() => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL'))));

  /** All but those of the fixture, which asks for it. */
  const killClients = (nodes = servers.primaries) =>
    Promise.all(nodes.map((node) => node.ask('CLIENT', 'KILL', 'TYPE', 'normal')));

  const masters = (cluster: ClusterInstance) => cluster.nodes('master').length;

  for (const [release, Cluster, module] of releases) {
    describe(`on ${release}`, () => {
      it('while idle cost nothing', async () => {
        const cluster = connect(Cluster, servers);
        const slots = redslot(cluster);
        const counters = new Counters();
        await counters.incrAll(slots, KEYS);
        await killClients([first]);
        await until('ioredis has dropped the node', () => masters(cluster) === 2);
        await counters.incrAll(slots, KEYS);
        assert.equal(masters(cluster), 3);
        await counters.verify(servers);
      });

      it('while idle cost nothing when all are closed at once', async () => {
        const cluster = connect(Cluster, servers);
        const slots = redslot(cluster);
        const counters = new Counters();
        await counters.incrAll(slots, KEYS);
        await killClients();
        await until('ioredis has noticed', () => cluster.status !== 'ready');
        await counters.incrAll(slots, KEYS);
        await counters.verify(servers);
      });

      it('while a command runs cost that command and what was sent behind it', async () => {
        const slots = redslot(connect(Cluster, servers), { chunkCommands: 20 });
        const [tag] = [`{${slotTag(0)}}`];
        const counters = new Counters();
        await counters.incrAll(slots, KEYS);
        const pipeline = slots.pipeline().incr(`${tag}before`).blpop(`${tag}never`, 0);
        for (const key of KEYS) pipeline.incr(key);
        const running = pipeline.exec();
        await until('the command blocks', async () => {
          return /blocked_clients:1\r/.test(await first.ask('INFO', 'clients'));
        });
        await killClients([first]);
        const replies = (await running) ?? [];
        assert.deepEqual(codes(replies), [
          null,
          ...Array(19).fill('NO_REPLY'),
          ...Array(132).fill(null),
        ]);
        for (const [error] of replies.slice(1, 20)) {
          assert.equal((error as RedslotError).executed, 'unknown');
          assert.equal((error as RedslotError).node, first.endpoint);
        }
        const stored = await slots.pipeline(KEYS.map((key) => ['get', key])).exec();
        assert.deepEqual(
          stored?.map(([, value]) => value),
          [...Array(18).fill('1'), ...Array(132).fill('2')],
        );
      });

      it('again and again under load never cost an INCR its honest reply', async () => {
        const slots = redslot(connect(Cluster, servers), { chunkCommands: 10 });
        const counters = new Counters();
        let left = 20;
        const killing = (async () => {
          for (; left > 0; left--) {
            await killClients();
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        })();
        while (left > 0) await counters.incr(slots, KEYS);
        await killing;
        await until('a batch without an error', async () => {
          return (await counters.incr(slots, KEYS)).every(([error]) => error === null);
        });
        await counters.verify(servers);
      });

      // The oldest ioredis and iovalkey do not have the option.
      if (module === 'ioredis-5.0' || module === 'iovalkey') return;

      it('are kept by clusterNodeRetryStrategy, and the next batch waits for them', async () => {
        const cluster = connect(Cluster, servers, { clusterNodeRetryStrategy: () => 50 });
        const slots = redslot(cluster);
        const counters = new Counters();
        await counters.incrAll(slots, KEYS);
        const dropped = new Promise<void>((resolve) => {
          for (const node of cluster.nodes('master')) node.once('close', resolve);
        });
        await killClients([first]);
        await dropped;
        assert.equal(masters(cluster), 3);
        await counters.incrAll(slots, KEYS);
        await counters.verify(servers);
      });

      it('are made anew by clusterNodeRetryStrategy without what was sent, if so told', async () => {
        const slots = redslot(
          connect(Cluster, servers, {
            clusterNodeRetryStrategy: () => 50,
            redisOptions: { autoResendUnfulfilledCommands: false },
          }),
        );
        const tag = `{${slotTag(0)}}`;
        await slots.pipeline().incr(`${tag}x`).exec();
        const running = slots.pipeline().blpop(`${tag}never`, 0).incr(`${tag}x`).exec();
        await until('the command blocks', async () => {
          return /blocked_clients:1\r/.test(await first.ask('INFO', 'clients'));
        });
        await killClients([first]);
        assert.deepEqual(codes(await running), ['NO_REPLY', 'NO_REPLY']);
        assert.deepEqual(await slots.pipeline().get(`${tag}x`).exec(), [[null, '1']]);
      });
    });
  }
});

describe('a cluster that went down as a whole', () => {
  const { start, connect } = stage();

  it('is used again once it is back, with an honest error for each command meanwhile', async () => {
    const servers = await start({ primaries: 3 });
    const [, Cluster] = releases[2];
    const cluster = connect(Cluster, servers, { clusterRetryStrategy: () => 100 });
    const slots = redslot(cluster, { timeout: 1000 });
    await new Counters().incrAll(slots, KEYS);
    await Promise.all(servers.nodes.map((node) => node.kill()));
    const down = await slots
      .pipeline(KEYS.map((key) => ['incr', key]))
      .exec()
      .catch((error) => error);
    if (down instanceof Error) assert.equal((down as RedslotError).executed, 'no');
    else assert.ok(codes(down).every((code) => code !== null));

    await Promise.all(servers.nodes.map((node) => node.restart()));
    await servers.settled();
    const counters = new Counters();
    await counters.incrAll(redslot(cluster), KEYS);
    await counters.verify(servers);
  });
});
