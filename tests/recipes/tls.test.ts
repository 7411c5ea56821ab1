import assert from 'node:assert/strict';
import type { LookupFunction } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { Cluster } from 'ioredis';
import { type RedslotError, redslot } from 'redslot-wasm/ioredis';
import { connectByAddress, connectByName } from '../../examples/recipes/tls.ts';
import { Authority } from '../cluster/support/certificates.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import { lacks, lacksTls } from '../cluster/support/features.mjs';
import { errorAt, values } from '../cluster/support/replies.ts';
import { assertFollowed } from './support/moved-slot.ts';

/** Keys of three primaries, in their order; `foo` is in slot 12182. */
const KEYS = ['b', 'c', 'foo'];
const DOMAIN = 'cache.example';
/** More than there are nodes, as one that finds its port taken starts again on another. */
const NAMES = Array.from({ length: 8 }, (_, i) => `node-${i}.${DOMAIN}`);

const skip = lacksTls() || (await lacks({ setting: 'cluster-announce-hostname' }));

/** Finds the made-up names where the servers are; in earnest, DNS does. */
const lookup: LookupFunction = (_, { all }, found) => {
  if (all) found(null, [{ address: '127.0.0.1', family: 4 }]);
  else found(null, '127.0.0.1', 4);
};

describe('the TLS recipe', { skip }, () => {
  let authority: Authority;
  let servers: TestCluster;
  let tls: ConnectionOptions;
  const named = new Map<number, string>();
  const clients: Cluster[] = [];

  before(async () => {
    authority = await Authority.create();
    tls = { ca: authority.cert, lookup };
    const own = await Promise.all(NAMES.map((name) => authority.nodeFor(name, 'localhost')));
    const indexes = new Map<number, number>();
    const config = (port: number) => {
      const index = indexes.get(port) ?? indexes.size;
      indexes.set(port, index);
      named.set(port, NAMES[index] as string);
      return {
        ...own[index],
        port: '0',
        'tls-port': String(port),
        'cluster-announce-hostname': NAMES[index] as string,
        'cluster-preferred-endpoint-type': 'hostname',
      };
    };
    const ofTests = { ca: authority.cert, servername: 'localhost' };
    servers = await startCluster({ primaries: 3, config, tls: ofTests });
  });
  beforeEach(() => Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL'))));
  after(async () => {
    for (const client of clients) client.disconnect();
    await servers?.stop();
    authority?.remove();
  });

  function kept(client: Cluster): Cluster {
    client.on('error', () => {});
    clients.push(client);
    return client;
  }

  const entry = () => [{ host: 'localhost', port: servers.primaries[0]?.port as number }];
  const addresses = () => servers.primaries.map(({ port }) => ({ host: '127.0.0.1', port }));
  const setAll = (cluster: Cluster, timeout = 60_000) =>
    redslot(cluster, { timeout })
      .pipeline(KEYS.map((key) => ['set', key, key]))
      .exec();

  /** That no node lets the cluster object in, so nothing is sent. */
  async function assertRefused(cluster: Cluster): Promise<void> {
    const told = await setAll(cluster, 700).then(
      (replies) => replies?.map(([error]) => error as RedslotError) ?? [],
      (error: RedslotError) => [error],
    );
    assert.ok(told.length > 0);
    for (const { executed } of told) assert.equal(executed, 'no');
    assert.equal((await servers.contents()).size, 0);
  }

  it('sends to nodes that announce names, each with its own certificate', async () => {
    const cluster = kept(connectByName(entry(), tls));
    assert.deepEqual(values(await setAll(cluster)), ['OK', 'OK', 'OK']);
    assert.deepEqual(await redslot(cluster).mget(KEYS), KEYS);
    const hosts = cluster
      .nodes('master')
      .map(({ options: { host, port = 0 } }) => [host, named.get(port)]);
    assert.equal(hosts.length, 3);
    for (const [host, name] of hosts) assert.equal(host, name);
  });

  it('follows a slot that moves', async () => {
    await assertFollowed(servers, redslot(kept(connectByName(entry(), tls))));
  });

  it('needs the dnsLookup: otherwise a certificate would have to be for an address', async () => {
    const checks = new Set<string>();
    const check: typeof checkServerIdentity = (host, certificate) => {
      const error = checkServerIdentity(host, certificate);
      checks.add(`${host}: ${(error as NodeJS.ErrnoException | undefined)?.code}`);
      return error;
    };
    const redisOptions = { tls: { ...tls, checkServerIdentity: check } };
    await assertRefused(kept(new Cluster(entry(), { redisOptions })));
    assert.deepEqual([...checks], ['127.0.0.1: ERR_TLS_CERT_ALTNAME_INVALID']);
  });

  it('has no servername: all nodes but the one of that name would be refused', async () => {
    const [first] = servers.primaries;
    const name = named.get(first?.port as number) as string;
    const cluster = kept(connectByName(entry(), { ...tls, servername: name }));
    const replies = await setAll(cluster, 1500);
    assert.deepEqual(replies?.[0], [null, 'OK']);
    for (const at of [1, 2]) assert.equal(errorAt(replies, at).executed, 'no');
    assert.deepEqual([...(await servers.contents()).keys()], ['b']);
  });

  describe('for nodes that announce addresses', () => {
    const announce = (type: string) =>
      Promise.all(
        servers.nodes.map((node) =>
          node.ask('CONFIG', 'SET', 'cluster-preferred-endpoint-type', type),
        ),
      );
    before(() => announce('ip'));
    after(() => announce('hostname'));

    it('takes the names that are to be expected', async () => {
      const cluster = kept(connectByAddress(addresses(), NAMES, { ca: authority.cert }));
      assert.deepEqual(values(await setAll(cluster)), ['OK', 'OK', 'OK']);
      const hosts = cluster.nodes('master').map(({ options }) => options.host);
      assert.deepEqual(hosts, ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    });

    it('refuses a certificate of the authority for somebody else', async () => {
      const others = ['node-0.other.example', DOMAIN];
      const cluster = kept(connectByAddress(addresses(), others, { ca: authority.cert }));
      await assertRefused(cluster);
    });

    it('refuses a certificate of another authority', async () => {
      const other = await Authority.create();
      other.remove();
      const cluster = kept(connectByAddress(addresses(), NAMES, { ca: other.cert }));
      await assertRefused(cluster);
    });
  });
});
