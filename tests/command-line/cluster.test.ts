import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Authority } from '../cluster/support/certificates.ts';
import { startCluster, type TestCluster } from '../cluster/support/cluster.mjs';
import { lacksTls } from '../cluster/support/features.mjs';
import type { ClusterNode } from '../cluster/support/node.mjs';
import { freePort } from '../cluster/support/ports.mjs';
import { documents, output, run } from './support/program.ts';

const HOST = '127.0.0.1';
const PASSWORD = 'correct horse';
const user = { user: 'looker', env: { REDISCLI_AUTH: PASSWORD } };

describe('--cluster', () => {
  let servers: TestCluster;
  let nodes: string;
  before(async () => {
    servers = await startCluster({ primaries: 3, replicas: 1 });
    nodes = (servers.primaries[0] as ClusterNode).endpoint;
  });
  after(() => servers?.stop());

  it('partitions keys as the servers do', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `key:${i}`);
    const lines = await output(['partition', '--cluster', nodes], { input: keys.join('\n') });
    const byNode = new Map(servers.primaries.map((node) => [node.endpoint, [] as string[]]));
    for (const line of lines.trimEnd().split('\n')) {
      const [endpoint, , key] = line.split('\t') as [string, string, string];
      byNode.get(endpoint)?.push(key);
    }
    assert.equal([...byNode.values()].flat().length, keys.length);
    // A server that does not own the slot of a key answers MOVED.
    for (const node of servers.primaries) {
      const own = byNode.get(node.endpoint) as string[];
      assert.ok(own.length > 3000);
      await Promise.all(own.map((key) => node.ask('SET', key, 1)));
    }
    await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
  });

  it('goes on to the next node where one cannot be reached', async () => {
    const down = `${HOST}:${await freePort(HOST)}`;
    const [report] = await documents(['check', '--cluster', `${down}, ${nodes}`]);
    const { ok, primaries } = report as { ok: boolean; primaries: { endpoint: string }[] };
    assert.equal(ok, true);
    assert.deepEqual(
      primaries.map(({ endpoint }) => endpoint),
      servers.primaries.map(({ endpoint }) => endpoint),
    );
  });

  it('logs in as a user with the password of the environment', async () => {
    const rules = ['on', `>${PASSWORD}`, '+cluster', '+hello', '+client'];
    const [first] = servers.primaries as [ClusterNode];
    await first.ask('ACL', 'SETUSER', user.user, ...rules);
    await first.ask('ACL', 'SETUSER', 'default', 'resetpass', `>${PASSWORD}x`);
    try {
      const args = ['check', '--cluster', nodes, '--user', user.user];
      assert.match(await output(args, { env: user.env }), /\nEvery slot has one primary\.\n$/);
      const alone = { REDISCLI_AUTH: `${PASSWORD}x` };
      assert.match(await output(args.slice(0, 3), { env: alone }), /Every slot has one primary/);
      const none = await run(args.slice(0, 3));
      assert.equal(none.code, 3);
      assert.match(none.err, /NOAUTH/);
      const wrong = await run(args, { env: { REDISCLI_AUTH: 'hunter2' } });
      assert.equal(wrong.code, 3);
      assert.match(wrong.err, /WRONGPASS/);
      assert.doesNotMatch(wrong.err + wrong.out, /hunter2/);
    } finally {
      await first.ask('ACL', 'SETUSER', 'default', 'nopass');
    }
  });

  it('ends with 3 and names each node that cannot be reached', async () => {
    const down = [await freePort(HOST), await freePort(HOST)].map((port) => `${HOST}:${port}`);
    const { code, out, err } = await run(['check', '--cluster', down.join(',')]);
    assert.deepEqual({ code, out }, { code: 3, out: '' });
    assert.equal(
      err,
      'No node told the topology of the cluster:\n' +
        down.map((node) => `  ${node}: connect ECONNREFUSED ${node}\n`).join(''),
    );
  });

  it('ends with 3 where a node is silent', async () => {
    const silent = createServer(() => {}).listen(0, HOST);
    await new Promise((resolve) => silent.once('listening', resolve));
    const sockets: { destroy(): void }[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const { port } = silent.address() as AddressInfo;
    const { code, err } = await run(['check', '--cluster', `${HOST}:${port}`]);
    for (const socket of sockets) socket.destroy();
    silent.close();
    assert.equal(code, 3);
    assert.match(err, new RegExp(`${HOST}:${port}: no answer within 5000 ms\n$`));
  });

  it('ends with 1 where the cluster has gaps', async () => {
    const single = await startCluster({ primaries: 1, ranges: [[[0, 99]]] });
    try {
      const [node] = single.primaries as [ClusterNode];
      const { code, out } = await run(['check', '--cluster', node.endpoint]);
      assert.equal(code, 1);
      assert.match(out, /^Gap: slots 100 to 16383 \(16284\)$/m);
    } finally {
      await single.stop();
    }
  });
});

describe('--tls', { skip: lacksTls() }, () => {
  let authority: Authority;
  let servers: TestCluster;

  before(async () => {
    authority = await Authority.create();
    const own = await authority.nodeFor('localhost');
    servers = await startCluster({
      primaries: 1,
      tls: { ca: authority.cert, servername: 'localhost' },
      config: (port) => ({ ...own, port: '0', 'tls-port': String(port) }),
    });
  });
  after(async () => {
    await servers?.stop();
    authority?.remove();
  });

  it('connects to a server whose certificate Node.js is told of, and to no other', async () => {
    const { port } = servers.primaries[0] as ClusterNode;
    const env = { NODE_EXTRA_CA_CERTS: authority.certFile };
    const args = (host: string) => ['check', '--tls', '--cluster', `${host}:${port}`];
    assert.match(await output(args('localhost'), { env }), /\nEvery slot has one primary\.\n$/);
    const unknown = await run(args('localhost'));
    assert.equal(unknown.code, 3);
    assert.match(unknown.err, /localhost:\d+: (?:self.signed|unable to verify the first) cert/);
    // The certificate is for the name alone.
    const misnamed = await run(args(HOST), { env });
    assert.equal(misnamed.code, 3);
    assert.match(misnamed.err, /does not match certificate's altnames/);
  });
});
