import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SlotMap } from 'redslot-wasm';
import { type RedslotError, redslot } from 'redslot-wasm/ioredis';
import {
  type ClusterClass,
  type ClusterInstance,
  type ClusterSettings,
  releases,
} from './support/clients.ts';
import type { ClusterOptions, TestCluster } from './support/cluster.mjs';
import { lacks } from './support/features.mjs';
import { fail, listed, replace } from './support/members.mjs';
import type { ClusterNode } from './support/node.mjs';
import { evenRanges, openSlot } from './support/slots.mjs';
import { stage } from './support/stage.ts';
import { until } from './support/until.mjs';

type Form = 'SLOTS' | 'SHARDS' | 'NODES';
type RedisOptions = NonNullable<ClusterSettings['redisOptions']>;
interface Client {
  name: string;
  cluster: ClusterInstance;
}

const noShards = await lacks({ command: 'cluster|shards' });
const noHostnames = await lacks({ setting: 'cluster-announce-hostname' });
const FORMS: readonly Form[] = noShards ? ['SLOTS', 'NODES'] : ['SLOTS', 'SHARDS', 'NODES'];

/** What a client may be told that changes the shape of a reply. Without any, ioredis 6 uses RESP3. */
const SHAPES: readonly [what: string, only: string | null, options: RedisOptions][] = [
  ['', null, {}],
  ['numbers as strings', null, { stringNumbers: true }],
  ['RESP2', 'ioredis 6', { protocol: 2 }],
  ['RESP3, maps as objects', 'ioredis 6', { protocol: 3, replyMapping: 'resp3' }],
  [
    'RESP3, maps as objects, numbers as strings',
    'ioredis 6',
    { protocol: 3, replyMapping: 'resp3', stringNumbers: true },
  ],
];

const READ = {
  SLOTS: (reply: unknown) => SlotMap.fromSlots(reply),
  SHARDS: (reply: unknown) => SlotMap.fromShards(reply),
  NODES: (reply: unknown) => SlotMap.fromNodes(reply),
};

/** A node as a map has it. */
function node({ id, host, port }: ClusterNode, name = host) {
  return { id, host: name, port, endpoint: `${name}:${port}` };
}

/** The map of a cluster of which replica i follows primary i, by what the test itself started. */
function layout({ primaries, replicas }: TestCluster, name?: string) {
  return primaries.map((primary, i) => ({
    ...node(primary, name),
    ranges: evenRanges(primaries.length)[i],
    replicas: replicas[i] ? [node(replicas[i], name)] : [],
  }));
}

describe('every client shape of every form of a topology', () => {
  const { start, connect } = stage();
  const ready = async (options: ClusterOptions) => {
    const servers = await start({
      replicas: 1,
      ...options,
      config: { 'repl-ping-replica-period': '1', ...options.config },
    });
    await listed(servers);
    return servers;
  };

  function clients(servers: TestCluster, options: RedisOptions = {}): Client[] {
    const of = (release: string, Cluster: ClusterClass) =>
      SHAPES.filter(([, only]) => only === null || only === release).map(([what, , shape]) => ({
        name: [release, what].filter(Boolean).join(', '),
        cluster: connect(Cluster, servers, { redisOptions: { ...options, ...shape } }),
      }));
    return releases.flatMap(([release, Cluster]) => of(release, Cluster));
  }

  /** That all clients read the same primaries from each form, whichever node answers. */
  async function assertMaps(all: Client[], expected: (form: Form) => unknown) {
    assert.equal(all.length, 11);
    for (const { name, cluster } of all) {
      for (const form of FORMS) {
        for (const method of ['call', 'callBuffer'] as const) {
          const { primaries } = READ[form](await cluster[method]('CLUSTER', form));
          assert.deepEqual(primaries, expected(form), `${form} of ${name} by ${method}`);
        }
      }
    }
  }

  describe('of a cluster in which something happens', () => {
    let servers: TestCluster;
    let all: Client[];
    const table = async () => String(await servers.primaries[0]?.ask('CLUSTER', 'NODES'));
    before(async () => {
      const config = { 'cluster-require-full-coverage': 'no' };
      servers = await ready({ nodeTimeout: 2000, config });
      all = clients(servers);
    });

    it('gives the layout of the cluster', async () => {
      await assertMaps(all, () => layout(servers));
    });

    it('gives it while a slot moves', async () => {
      const [source, target] = servers.primaries as [ClusterNode, ClusterNode];
      await openSlot(5460, source, target);
      assert.match(await table(), / 0-5460 \[5460->-/);
      await assertMaps(all, () => layout(servers));
      for (const node of [source, target]) await node.ask('CLUSTER', 'SETSLOT', 5460, 'STABLE');
    });

    it('gives it while a node is met that does not answer', async () => {
      const [asked] = servers.primaries as [ClusterNode];
      await asked.ask('CLUSTER', 'MEET', '127.0.0.1', 1);
      await until('it is in the table', async () => /handshake/.test(await table()));
      for (const form of FORMS) {
        const { primaries } = READ[form](await asked.ask('CLUSTER', form));
        assert.deepEqual(primaries, layout(servers), form);
      }
      assert.match(await table(), /handshake/);
    });

    it('leaves out a replica that failed', async () => {
      const replica = servers.replicas[2] as ClusterNode;
      await fail(servers, replica);
      servers.nodes = servers.nodes.filter((node) => node !== replica);
      await assertMaps(all, () => layout(servers));
    });

    it('keeps the slots of a primary that failed', async () => {
      const primary = servers.primaries[2] as ClusterNode;
      await fail(servers, primary);
      // CLUSTER SHARDS of Redis 8 leaves them out, as tests/topology/situations.rs says.
      const info = String(await servers.primaries[0]?.ask('INFO', 'server'));
      const redis8 = /^redis_version:8/m.test(info);
      await assertMaps(all, (form) =>
        layout(servers).slice(0, redis8 && form === 'SHARDS' ? 2 : 3),
      );
    });
  });

  describe('of a cluster in which a node took the place of a primary', () => {
    let servers: TestCluster;
    before(async () => {
      const config = { 'cluster-require-full-coverage': 'no' };
      servers = await start({ nodeTimeout: 2000, config });
      await replace(servers, servers.primaries[2] as ClusterNode);
    });

    it('leaves a gap in place of the slots that nobody can be asked for', async () => {
      const [asked] = servers.primaries as [ClusterNode];
      for (const form of FORMS) {
        const map = READ[form](await asked.ask('CLUSTER', form));
        assert.deepEqual(map.primaries, layout(servers).slice(0, 2), form);
        assert.deepEqual(map.gaps, [[10923, 16383]], form);
      }
    });

    it('lets a pipeline run on the other primaries', async () => {
      for (const [release, Cluster] of releases) {
        const known = { startupNodes: servers.startupNodes.slice(0, 2) } as TestCluster;
        const pipeline = redslot(connect(Cluster, known)).pipeline();
        // Slots 3300, 7365 and 12182.
        const replies = await pipeline.set('b', 1).set('c', 1).set('foo', 1).exec();
        assert.deepEqual(replies?.slice(0, 2), [
          [null, 'OK'],
          [null, 'OK'],
        ]);
        const error = replies?.[2]?.[0] as RedslotError;
        assert.equal(error.code, 'UNOWNED', release);
        assert.equal(error.executed, 'no', release);
      }
    });
  });

  it('gives the address without brackets on IPv6', async () => {
    const servers = await ready({ host: '::1' });
    await assertMaps(clients(servers), () => layout(servers));
  });

  it('gives preferred hostnames but in CLUSTER NODES', { skip: noHostnames }, async () => {
    const servers = await ready({
      config: {
        'cluster-announce-hostname': 'localhost',
        'cluster-preferred-endpoint-type': 'hostname',
      },
    });
    const all = clients(servers, { family: 4 });
    await assertMaps(all, (form) => layout(servers, form === 'NODES' ? undefined : 'localhost'));
  });
});
