/**
 * Records what a Node.js process shows of a cluster: printed replies and debug logs of ioredis 5
 * and 6, beside the JSON of the same replies. Writes `topologies/printed*`.
 *
 *   node tests/corpus/record-printed.mjs
 *
 * The server is the one that the cluster tests use. The terminal is that of script(1).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { startCluster } from '../cluster/support/cluster.mjs';
import { until } from '../cluster/support/until.mjs';

/** @typedef {Awaited<ReturnType<typeof startCluster>>} TestCluster */
/**
 * @typedef {object} Task what a client does in a process of its own
 * @property {string} [client] package of the client
 * @property {number} port
 * @property {keyof typeof PRINTS} [print] how it prints the reply; without it the debug log counts
 * @property {string} [command] subcommand of CLUSTER
 * @property {boolean} [buffers]
 * @property {object} [options] of the nodes
 * @property {number[]} [named] ports that a natMap gives long names
 */

const self = fileURLToPath(import.meta.url);
const PRINTS = {
  log: (/** @type {unknown} */ reply) => console.log(reply),
  json: (/** @type {unknown} */ reply) => console.log(JSON.stringify(reply)),
  whole: (/** @type {unknown} */ reply) => console.dir(reply, { depth: null }),
};

/** @param {Task} task */
async function client({
  client = 'ioredis',
  port,
  print,
  command = 'slots',
  buffers,
  options,
  named,
}) {
  const { Cluster } = createRequire(import.meta.url)(client);
  const names = named?.map((port, at) => {
    const host = `redis-000${at + 1}-001.redis.abcdef.use1.cache.example`;
    return [`127.0.0.1:${port}`, { host, port: 6379 }];
  });
  const lookup = (/** @type {string} */ host, /** @type {Function} */ done) => done(null, host);
  const cluster = new Cluster([{ host: '127.0.0.1', port }], {
    dnsLookup: lookup,
    redisOptions: { maxRetriesPerRequest: 0, ...options },
    ...(names && { natMap: Object.fromEntries(names), enableReadyCheck: false }),
  });
  cluster.on('error', () => {});
  cluster.on('node error', () => {});
  if (print) {
    PRINTS[print](await cluster[buffers ? 'callBuffer' : 'call']('CLUSTER', command));
  } else if (!names) {
    await cluster.get('foo');
    await new Promise((resolve) => cluster.refreshSlotsCache(resolve));
  } else {
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  cluster.disconnect();
  setTimeout(() => process.exit(), 100);
}

/**
 * @param {Task} task
 * @param {Record<string, string>} [env]
 * @param {boolean} [terminal]
 */
function run(task, env = {}, terminal = false) {
  const argv = [process.execPath, self, JSON.stringify(task)];
  const quoted = argv.map((word) => `'${word}'`).join(' ');
  const [program, ...rest] = terminal ? ['script', '-qec', quoted, '/dev/null'] : argv;
  const done = spawnSync(/** @type {string} */ (program), rest, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 30_000,
  });
  if (done.status !== 0) throw new Error(`${quoted}: ${done.status} ${done.stderr}`);
  return task.print ? done.stdout : done.stderr || done.stdout;
}

/**
 * @param {string} scenario
 * @param {(port: number, save: (form: string, text: string) => void, cluster: TestCluster) => void} work
 * @param {Parameters<typeof startCluster>[0]} options
 * @param {(cluster: TestCluster) => Promise<unknown>} [prepare]
 */
async function record(scenario, work, options, prepare) {
  const cluster = await startCluster(options);
  try {
    await prepare?.(cluster);
    await until('no replica is loading any more', async () => {
      for (const node of cluster.nodes) {
        const shards = JSON.stringify(await node.ask('CLUSTER', 'SHARDS'));
        const slots = new Set(
          JSON.stringify(await node.ask('CLUSTER', 'SLOTS')).match(/[0-9a-f]{40}/g),
        );
        if (/loading/.test(shards) || slots.size !== cluster.nodes.length) return false;
      }
      return true;
    });
    const dir = new URL(`topologies/${scenario}/`, import.meta.url);
    mkdirSync(dir, { recursive: true });
    const [{ port }] = /** @type {[TestCluster['nodes'][0]]} */ (cluster.nodes);
    const save = (/** @type {string} */ form, /** @type {string} */ text) => {
      if (text.includes(process.cwd())) throw new Error(`${form} holds a path of this machine`);
      writeFileSync(new URL(form, dir), text);
    };
    work(port, save, cluster);
  } finally {
    await cluster.stop();
  }
}

async function main() {
  const ALL = { DEBUG: 'ioredis:*' };
  const CLUSTER = { DEBUG: 'ioredis:cluster' };
  const resp3 = { protocol: 3, replyMapping: 'resp3' };
  await record(
    'printed',
    (port, save, cluster) => {
      save('slots.json', run({ port, print: 'json' }));
      save('shards.json', run({ port, print: 'json', command: 'shards' }));
      save('nodes.txt', run({ port, print: 'log', command: 'nodes' }));
      save('slots.ioredis-5.txt', run({ port, print: 'log', client: 'ioredis-5' }));
      save('slots.ioredis-6.txt', run({ port, print: 'log' }));
      save('slots.resp3.txt', run({ port, print: 'log', options: resp3 }));
      save('slots.buffers.txt', run({ port, print: 'log', buffers: true }));
      save('slots.terminal.txt', run({ port, print: 'log' }, {}, true));
      save('shards.hidden.txt', run({ port, print: 'log', command: 'shards' }));
      save(
        'shards.resp3.hidden.txt',
        run({ port, print: 'log', command: 'shards', options: resp3 }),
      );
      save('shards.whole.txt', run({ port, print: 'whole', command: 'shards' }));
      save(
        'shards.resp3.whole.txt',
        run({ port, print: 'whole', command: 'shards', options: resp3 }),
      );
      save('debug.ioredis-6.txt', run({ port }, ALL));
      save('debug.ioredis-5.txt', run({ port, client: 'ioredis-5' }, CLUSTER));
      save('debug.terminal.txt', run({ port }, CLUSTER, true));
      const named = cluster.nodes.map((node) => node.port);
      save('debug.named.txt', run({ port, named }, CLUSTER));
    },
    { primaries: 3, replicas: 1 },
    async ({ nodes }) => {
      for (const at of [0, 4])
        await nodes[at]?.ask(
          'CONFIG',
          'SET',
          'cluster-announce-hostname',
          `node-${at}.cache.example`,
        );
      await until('the hostnames are known', async () => {
        const replies = await Promise.all(nodes.map((node) => node.ask('CLUSTER', 'SLOTS')));
        return replies.every((reply) => JSON.stringify(reply).match(/node-[04]/g)?.length === 2);
      });
    },
  );
  await record(
    'printed-replicas',
    (port, save, cluster) => {
      const named = cluster.nodes.map((node) => node.port);
      save('slots.json', run({ port, print: 'json' }));
      save('slots.ioredis-6.txt', run({ port, print: 'log' }));
      save('debug.txt', run({ port }, CLUSTER));
      save('debug.cut.txt', run({ port, named }, CLUSTER));
    },
    { primaries: 1, replicas: 7 },
  );
  const every = (/** @type {number} */ from) =>
    Array.from(
      { length: 52 },
      (_, i) => /** @type {[number, number]} */ ([2 * i + from, 2 * i + from]),
    );
  await record(
    'printed-scattered',
    (port, save) => {
      save('slots.json', run({ port, print: 'json' }));
      save('slots.cut.txt', run({ port, print: 'log' }));
      save('debug.txt', run({ port }, CLUSTER));
    },
    { primaries: 2, ranges: [every(0), [...every(1), [104, 16383]]] },
  );
}

const [task] = process.argv.slice(2);
await (task ? client(JSON.parse(task)) : main());
