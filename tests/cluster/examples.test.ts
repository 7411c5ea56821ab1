import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Cluster } from 'ioredis';
import { root } from '../../scripts/run.mjs';
import { startCluster, type TestCluster } from './support/cluster.mjs';

interface Run {
  code: number | null;
  out: string;
  err: string;
}

const TIMEOUT = 60_000;

describe('examples', () => {
  let servers: TestCluster;
  let cluster: Cluster;
  const dir = mkdtempSync(join(tmpdir(), 'redslot-examples-'));
  /** The examples that a test has run. */
  const ran = new Set<string>();

  before(async () => {
    servers = await startCluster({ primaries: 3 });
    cluster = new Cluster(servers.startupNodes);
  });
  after(async () => {
    cluster?.disconnect();
    rmSync(dir, { recursive: true, force: true });
    await servers?.stop();
  });
  beforeEach(async () => {
    await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
  });

  async function run(file: string, ...args: string[]): Promise<Run> {
    ran.add(file);
    const child = start([`examples/${file}`, ...args], nodesOf(servers));
    return ended(child, collect(child));
  }

  /** Runs an example that must end well and say nothing of errors. */
  async function output(file: string, ...args: string[]): Promise<string> {
    const { code, out, err } = await run(file, ...args);
    assert.deepEqual({ code, err }, { code: 0, err: '' }, out);
    return out;
  }

  /** How many keys each primary has. */
  const sizes = () =>
    Promise.all(servers.primaries.map((node) => node.ask('DBSIZE') as Promise<number>));
  const total = async () => (await sizes()).reduce((sum, size) => sum + size, 0);

  it('caching loads what is missing once, and again what was dropped', async () => {
    const cold = await output('caching.mjs');
    assert.match(cold, /^First call: 200 articles, 0 from the cache, 200 from the source,/m);
    assert.match(cold, /^Second call: 200 articles, 200 from the cache, 0 from the source,/m);
    assert.match(cold, /^Dropped from the cache: 20$/m);
    assert.match(cold, /^After the change: 200 articles, 180 from the cache, 20 from the source,/m);
    assert.match(cold, /^article:1 expires in (60|[1-5]\d) s$/m);

    const contents = await servers.contents();
    assert.equal(contents.size, 200);
    assert.equal(contents.get('article:7'), '{"id":7,"title":"Article number 7"}');
    for (const key of contents.keys()) {
      const ttl = await cluster.ttl(key);
      assert.ok(ttl > 0 && ttl <= 60, `${key} expires in ${ttl} s`);
    }
    assert.match(await output('caching.mjs'), /^First call: 200 articles, 200 from the cache,/m);
  });

  it('caching gives all articles where one node refuses to read and write', async () => {
    await output('caching.mjs');
    const [node] = servers.primaries;
    const held = await node?.ask('DBSIZE');
    assert.ok(held > 0 && held < 200);
    await node?.ask('ACL', 'SETUSER', 'default', '-mget', '-set');
    try {
      const { code, out, err } = await run('caching.mjs');
      assert.equal(code, 0, err);
      assert.match(
        out,
        new RegExp(
          `^First call: 200 articles, ${200 - held} from the cache, ${held} from the source,`,
          'm',
        ),
      );
      assert.match(
        err,
        new RegExp(`^ {2}not read from the cache: ${held} keys\\. MGET failed`, 'm'),
      );
      assert.match(
        err,
        new RegExp(`^ {2}not written to the cache: ${held} keys\\. SET failed.*NOPERM`, 'm'),
      );
    } finally {
      await node?.ask('ACL', 'SETUSER', 'default', '+mget', '+set');
    }
  });

  it('import-csv writes a hash for each row of the file beside it', async () => {
    const out = await output('import-csv.mjs');
    assert.match(out, /^100 %, 200 rows, \d+ per second$/m);
    assert.match(out, /^200 of 200 rows written in [\d.]+ s, 0 failed$/m);
    const counts = await sizes();
    for (const [i, { endpoint }] of servers.primaries.entries()) {
      assert.ok(out.includes(`  ${endpoint}: ${counts[i]}\n`), out);
    }

    const file = readFileSync(join(root, 'examples/products.csv'), 'utf8');
    const [, ...rows] = file.trimEnd().split('\n');
    assert.equal(rows.length, 200);
    assert.equal(await total(), 200);
    for (const row of rows) {
      const [sku, name, price, stock] = row.split(',');
      assert.deepEqual(await cluster.hgetall(`product:${sku}`), { sku, name, price, stock });
    }
  });

  it('import-csv tells a log each tenth of a larger file once', async () => {
    const path = join(dir, 'large.csv');
    const rows = Array.from({ length: 50_000 }, (_, i) => `${i},name of ${i}\r\n`);
    writeFileSync(path, `id,name\r\n${rows.join('')}`);
    const out = await output('import-csv.mjs', path);
    const told = [...out.matchAll(/^(\d+) %, (\d+) rows/gm)].map((match) => match.slice(1, 3));
    const tenths = told.map(([percent]) => Math.floor(Number(percent) / 10));
    assert.deepEqual(
      tenths,
      [...new Set(tenths)].sort((a, b) => a - b),
    );
    assert.match(out, /^50000 of 50000 rows written/m);
    assert.equal(told.at(-1)?.[1], '50000');
    assert.equal(await total(), 50_000);
    assert.deepEqual(await cluster.hgetall('product:49999'), {
      id: '49999',
      name: 'name of 49999',
    });
  });

  it('import-csv names the lines that failed, and the line that it cannot read', async () => {
    const path = join(dir, 'products.csv');
    await cluster.set('product:b', 'no hash');
    writeFileSync(path, 'id,name\na,one\nb,two\nc,three\n');
    const partly = await run('import-csv.mjs', path);
    assert.equal(partly.code, 1);
    assert.match(partly.out, /^2 of 3 rows written in [\d.]+ s, 1 failed$/m);
    assert.match(partly.err, /^ {2}line 3, product:b: WRONGTYPE /m);
    assert.equal(await cluster.hget('product:c', 'name'), 'three');

    for (const [last, reason] of [
      ['e', 'line 3 has 1 fields, the heading 2'],
      ['e,"five"', 'line 3 has quotes, which are not read here'],
    ]) {
      writeFileSync(path, `id,name\nd,four\n${last}\n`);
      const broken = await run('import-csv.mjs', path);
      assert.equal(broken.code, 1);
      assert.equal(broken.err, `The load ended after 1 items: ${reason}\n`);
      assert.equal(await cluster.hget('product:d', 'name'), 'four');
      assert.equal(await cluster.exists('product:e'), 0);
    }
  });

  it('mget reads 10,000 values of all primaries, text and bytes', async () => {
    const out = await output('mget.mjs');
    const held = servers.primaries.map(({ endpoint }) => {
      return Number(out.match(new RegExp(`^${endpoint} holds (\\d+) of the keys$`, 'm'))?.[1]);
    });
    assert.ok(held.every((keys) => keys > 3000));
    assert.equal(
      held.reduce((sum, keys) => sum + keys),
      10_000,
    );
    assert.match(out, /^cluster\.mget of 10000 keys: CROSSSLOT /m);
    assert.match(out, /^slots\.mget of 10000 keys: \d+ ms/m);
    assert.match(out, /^10000 times cluster\.get: \d+ ms/m);
    assert.match(out, /^slots\.pipeline of 10000 GETs: \d+ ms/m);
    assert.match(out, /^Equal values: 10000$/m);
    assert.match(out, /^\[ 'the text of page:2', null, 'the text of page:1' \]$/m);
    assert.match(out, /^Buffers with equal bytes: 10000$/m);

    assert.equal(await total(), 20_000);
    assert.equal(await cluster.get('page:10000'), 'the text of page:10000');
    assert.deepEqual(
      await cluster.getBuffer('hash:page:10000'),
      createHash('sha256').update('page:10000').digest(),
    );
    const ttl = await cluster.ttl('hash:page:1');
    assert.ok(ttl > 500 && ttl <= 600);
  });

  it('hash-tags moves a cart to an order in a transaction on one slot', async () => {
    const keyslot = (key: string) => servers.primaries[0]?.ask('CLUSTER', 'KEYSLOT', key);
    const out = await output('hash-tags.mjs');
    for (const key of ['user:1:cart', 'user:1:orders', '{user:1}:cart', '{user:1}:orders']) {
      const hashed = key.startsWith('{') ? 'user:1' : key;
      const line = `   ${key} is in slot ${await keyslot(key)}, that of ${hashed}\n`;
      assert.ok(out.includes(line), out);
    }
    assert.match(out, /^ {3}rename user:1:cart user:1:order:1: CROSS_SLOT$/m);
    assert.match(out, /^ {3}rename \{user:1\}:cart \{user:1\}:order:1: possible$/m);
    assert.match(out, /^ {3}2000 commands executed$/m);
    assert.match(
      out,
      /^ {3}user 1 has order 1:\n {3}\{ apples: '1', pears: '2', state: 'paid' \}$/m,
    );
    const keys = '{user:1}:last-order {user:1}:order:1 {user:1}:orders';
    assert.ok(out.includes(`is slot ${await keyslot('{user:1}:cart')}: ${keys}\n`), out);
    assert.match(out, /^ {3}1,000 carts by country: 3 slots$/m);

    // 999 carts, and what became of that of user 1.
    assert.equal(await total(), 1002);
    assert.equal(await cluster.exists('{user:1}:cart'), 0);
    assert.deepEqual(await cluster.hgetall('{user:1}:order:1'), {
      apples: '1',
      pears: '2',
      state: 'paid',
    });
    assert.deepEqual(await cluster.hgetall('{user:1000}:cart'), { apples: '1000', pears: '2' });
    assert.match(await output('hash-tags.mjs'), /^ {3}user 1 has order 2:$/m);
  });

  it('the tests above run every example', () => {
    const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs'));
    assert.deepEqual([...ran].sort(), files.sort());
  });
});

describe('the demo that keeps its cluster', () => {
  it('names the examples, serves them, and stops its servers on Ctrl-C', async () => {
    const source = `
      import { demonstrate } from './scripts/demo/scenario.mjs';
      await demonstrate({ keys: 1000, keep: true });
    `;
    const demo = start(['--input-type=module', '--eval', source]);
    const said = collect(demo);
    try {
      const last = /REDIS_CLUSTER=(\S+) node examples\/mget\.mjs\n/;
      const over = once(demo, 'close');
      while (!last.test(said.out)) {
        await Promise.race([once(demo.stdout as NodeJS.ReadableStream, 'data'), over]);
        assert.equal(demo.exitCode, null, said.err);
      }
      for (const file of readdirSync(join(root, 'examples'))) {
        if (file.endsWith('.mjs')) assert.match(said.out, new RegExp(` node examples/${file}\n`));
      }
      const nodes = said.out.match(last)?.[1] ?? '';
      assert.equal(nodes.split(',').length, 3);

      const example = start(['examples/caching.mjs'], nodes);
      assert.equal((await ended(example, collect(example))).code, 0);

      demo.kill('SIGINT');
      const { code, err } = await ended(demo, said);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      for (const node of nodes.split(',')) {
        assert.equal(await isServed(node), false, `${node} is still there`);
      }
    } finally {
      demo.kill('SIGINT');
    }
  });
});

function nodesOf({ nodes }: TestCluster): string {
  return nodes.map(({ endpoint }) => endpoint).join(',');
}

function start(args: string[], nodes?: string): ChildProcess {
  const chosen = nodes === undefined ? {} : { REDIS_CLUSTER: nodes };
  // Else a CI run that asks for colours gets them in what is compared.
  const env = { ...process.env, FORCE_COLOR: '0', ...chosen };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return spawn(process.execPath, args, { cwd: root, env, stdio, timeout: TIMEOUT });
}

function collect(child: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said.err += text;
  });
  return said;
}

async function ended(child: ChildProcess, said: { out: string; err: string }): Promise<Run> {
  const [code] = await once(child, 'close');
  return { code, ...said };
}

async function isServed(node: string): Promise<boolean> {
  const [host, port] = node.split(':');
  const socket = connect(Number(port), host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
