import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type AddressInfo,
  connect as connectTo,
  createServer,
  type Server,
  type Socket,
} from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Cluster, type ClusterNode as Entry } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';
import { connectByRule, connectByTable } from '../../examples/recipes/nat.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import { values } from '../cluster/support/replies.ts';
import { assertFollowed } from './support/moved-slot.ts';

/** Announced ports are this much above those that the servers listen on. */
const OFFSET = 20_000;
const HOST = '127.0.0.1';
/** Keys of three primaries; `foo` is in slot 12182, of the third. */
const KEYS = ['b', 'c', 'foo'];

describe('the natMap recipe', () => {
  let servers: TestCluster;
  let endpoint: Forwarder;
  const clients: Cluster[] = [];
  before(async () => {
    // The bus is announced as it is, so that the nodes reach each other where clients do not.
    const config = (port: number) => ({
      'cluster-announce-port': String(port + OFFSET),
      'cluster-announce-bus-port': String(port + 10_000),
    });
    servers = await startCluster({ primaries: 3, config });
    endpoint = await Forwarder.to(servers.primaries.map(({ port }) => port));
  });
  beforeEach(() => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL'))));
  after(async () => {
    for (const client of clients) client.disconnect();
    endpoint?.close();
    await servers?.stop();
  });

  const kept = (client: Cluster) => {
    client.on('error', () => {});
    clients.push(client);
    return client;
  };

  const ways: [string, (entry: Entry) => Cluster][] = [
    [
      'a table',
      (entry) =>
        connectByTable(
          entry,
          Object.fromEntries(
            servers.nodes.map(({ port }) => [`${HOST}:${port + OFFSET}`, { host: HOST, port }]),
          ),
        ),
    ],
    ['a rule', (entry) => connectByRule(entry, (host, port) => ({ host, port: port - OFFSET }))],
  ];

  for (const [name, connect] of ways) {
    it(`reaches every primary by ${name}, from one entry that is none of them`, async () => {
      const cluster = kept(connect(endpoint.entry));
      const slots = redslot(cluster);
      const pipeline = slots.pipeline();
      for (const key of KEYS) pipeline.set(key, key);
      assert.deepEqual(values(await pipeline.exec()), ['OK', 'OK', 'OK']);
      assert.deepEqual(await slots.mget(KEYS), KEYS);
      for (const node of servers.primaries) assert.equal(await node.ask('DBSIZE'), 1);

      // The map has what is announced, the connections what is reached.
      const ports = servers.primaries.map(({ port }) => port);
      const announced = (await slots.slotMap()).primaries.map(({ port }) => port);
      assert.deepEqual(
        announced,
        ports.map((port) => port + OFFSET),
      );
      const reached = cluster.nodes('master').map(({ options }) => options.port ?? 0);
      assert.deepEqual(reached.sort(), ports.sort());
    });

    it(`follows a slot that moved by ${name}`, async () => {
      await assertFollowed(servers, redslot(kept(connect(endpoint.entry))));
    });
  }

  it('is needed: without natMap nothing is sent', async () => {
    const cluster = kept(new Cluster([endpoint.entry]));
    const replies = redslot(cluster, { timeout: 700 }).pipeline().set('b', 1).exec();
    const told = await replies.then(
      (settled) => settled?.[0]?.[0],
      (error: unknown) => error,
    );
    assert.equal((told as { executed?: string }).executed, 'no');
    assert.equal((await servers.contents()).size, 0);
  });
});

/** One address in front of several nodes, of which each connection gets the next. */
class Forwarder {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(ports: readonly number[]) {
    let next = 0;
    this.#server = createServer((client) => {
      const node = connectTo(ports[next++ % ports.length] as number, HOST);
      for (const socket of [client, node]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
      }
      client.pipe(node).pipe(client);
    });
  }

  static async to(ports: readonly number[]): Promise<Forwarder> {
    const forwarder = new Forwarder(ports);
    forwarder.#server.listen(0, HOST);
    await once(forwarder.#server, 'listening');
    return forwarder;
  }

  get entry(): Entry {
    return { host: HOST, port: (this.#server.address() as AddressInfo).port };
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
