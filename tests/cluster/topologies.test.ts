import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Cluster } from 'ioredis';
import { SlotMap } from 'redslot-wasm';
import { type RedslotError, redslot } from 'redslot-wasm/ioredis';
import { Cluster50, type ClusterSettings } from './support/clients.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';
import { lacks } from './support/features.mjs';
import { listed } from './support/members.mjs';
import type { ClusterNode } from './support/node.mjs';

/** Slots 3300, 12182, 7365 and 5061. */
const KEYS = ['b', 'foo', 'c', 'bar'] as const;

const noHostnames = await lacks({ setting: 'cluster-announce-hostname' });
const noShards = await lacks({ command: 'cluster|shards' });

const running: { stop(): Promise<void> }[] = [];
after(() => Promise.all(running.map((one) => one.stop())));

async function start(options: Parameters<typeof startCluster>[0]): Promise<TestCluster> {
  const servers = await startCluster(options);
  running.push(servers);
  return servers;
}

function connect(servers: TestCluster, options: ClusterSettings = {}): Cluster {
  const cluster = new Cluster(servers.startupNodes, options);
  running.unshift({ stop: async () => cluster.disconnect() });
  return cluster;
}

async function setAll(cluster: Cluster) {
  const pipeline = redslot(cluster).pipeline();
  for (const key of KEYS) pipeline.set(key, 1);
  return (await pipeline.exec()) ?? [];
}

describe('a cluster with a hole', () => {
  it('runs what is served and names the slot of what is not', async () => {
    const servers = await start({
      ranges: [
        [
          [0, 5060],
          [5062, 5460],
        ],
        [[5461, 10922]],
        [[10923, 16383]],
      ],
    });
    const replies = await setAll(connect(servers));
    assert.deepEqual(
      replies.slice(0, 3).map(([error]) => error),
      [null, null, null],
    );
    const error = replies[3]?.[0] as RedslotError;
    assert.equal(error.code, 'UNOWNED');
    assert.equal(error.slot, 5061);
    assert.equal(error.executed, 'no');
    assert.match(error.message, /SET was not sent: no primary serves hash slot 5061 of "bar"/);
  });

  it('sends to a slot that was assigned after the last look', async () => {
    const servers = running.at(-1) as TestCluster;
    const cluster = connect(servers);
    assert.equal((await setAll(cluster))[3]?.[0]?.name, 'RedslotError');
    await servers.primaries[0]?.ask('CLUSTER', 'ADDSLOTS', 5061);
    await servers.settled();
    const replies = await setAll(cluster);
    assert.deepEqual(
      replies.map(([error]) => error),
      [null, null, null, null],
    );
  });
});

describe('a primary with many ranges', () => {
  it('is one node with one pipeline', async () => {
    const odd = Array.from({ length: 50 }, (_, i): [number, number] => [2 * i + 1, 2 * i + 1]);
    const even = Array.from({ length: 50 }, (_, i): [number, number] => [2 * i, 2 * i]);
    const servers = await start({
      ranges: [[...even, [100, 5460]], [[5461, 10922]], [...odd, [10923, 16383]]],
    });
    const cluster = connect(servers);
    const map = await redslot(cluster).slotMap();
    assert.equal(map.primaries.length, 3);
    assert.deepEqual(
      map.primaries.map(({ endpoint, ranges }) => [endpoint, ranges.length]),
      servers.primaries
        .map(({ endpoint }, i) => [endpoint, [51, 1, 51][i]])
        .sort(([, a], [, b]) => Number(a === 1) - Number(b === 1)),
    );
    assert.ok((await setAll(cluster)).every(([error]) => error === null));
  });
});

describe('a cluster that prefers hostnames', () => {
  it('is reached by them', { skip: noHostnames }, async () => {
    const servers = await start({
      config: {
        'cluster-announce-hostname': 'localhost',
        'cluster-preferred-endpoint-type': 'hostname',
      },
    });
    const cluster = connect(servers, { redisOptions: { family: 4 } });
    assert.ok((await setAll(cluster)).every(([error]) => error === null));
    const map = await redslot(cluster).slotMap();
    assert.deepEqual(new Set(map.primaries.map(({ host }) => host)), new Set(['localhost']));
  });
});

describe('a cluster on IPv6', () => {
  it('is reached by addresses without brackets', async () => {
    const servers = await start({ host: '::1' });
    const cluster = connect(servers);
    assert.ok((await setAll(cluster)).every(([error]) => error === null));
    const map = await redslot(cluster).slotMap();
    assert.equal(map.primaries[0]?.endpoint, `::1:${servers.primaries[0]?.port}`);
  });
});

describe('nodes whose names differ from those that ioredis knows', () => {
  it('are named together with the known ones', async () => {
    const servers = await start({});
    // ioredis 5.0.0 knows the object form of natMap only, so the two disagree.
    const cluster = new Cluster50(servers.startupNodes, {
      natMap: (address) => ({ host: 'elsewhere', port: Number(address.split(':')[1]) }),
    });
    running.unshift({ stop: async () => cluster.disconnect() });
    const replies = await redslot(cluster).pipeline().set('b', 1).exec();
    const error = replies?.[0]?.[0] as RedslotError;
    assert.equal(error.code, 'NO_NODE');
    assert.equal(error.executed, 'no');
    assert.equal(error.node, `elsewhere:${servers.primaries[0]?.port}`);
    const told =
      /names elsewhere:\d+ for hash slot 3300, .* It has 127\.0\.0\.1:\d+, 127\.0\.0\.1:/;
    assert.match(error.message, told);
  });
});

describe('the forms of one topology', () => {
  let bySlots: () => Promise<SlotMap>;
  let node: ClusterNode;
  before(async () => {
    const servers = await start({ replicas: 1, config: { 'repl-ping-replica-period': '1' } });
    await setAll(connect(servers));
    [node] = servers.primaries as [ClusterNode];
    bySlots = async () => SlotMap.fromSlots(await node.ask('CLUSTER', 'SLOTS'));
    await listed(servers);
  });

  const plain = (map: SlotMap) => JSON.parse(JSON.stringify(map));

  it('CLUSTER SLOTS and CLUSTER NODES give equal maps from a live cluster', async () => {
    const slots = await bySlots();
    assert.equal(slots.primaries.length, 3);
    const nodes = SlotMap.fromNodes(await node.ask('CLUSTER', 'NODES'));
    assert.deepEqual(plain(nodes), plain(slots));
  });

  it('CLUSTER SHARDS gives the map that CLUSTER SLOTS gives', { skip: noShards }, async () => {
    const shards = SlotMap.fromShards(await node.ask('CLUSTER', 'SHARDS'));
    assert.deepEqual(plain(shards), plain(await bySlots()));
  });
});
