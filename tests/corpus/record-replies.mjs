/**
 * Records how servers describe the same clusters: CLUSTER SLOTS, SHARDS and NODES in every situation
 * of `situations.mjs`, as ioredis gives them. Writes `topologies/servers/<server>/<view>.json`.
 *
 *   node tests/corpus/record-replies.mjs [server or situation...]
 *
 * Without a name every server of the catalogue is fetched and records every situation, which takes
 * some minutes. A server that cannot be in a situation is told and left out of it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { describeServer } from '../../scripts/server.mjs';
import { catalogue } from '../../scripts/server-catalogue.mjs';
import { fetchServer } from '../../scripts/server-fetch.mjs';
import { startCluster } from '../cluster/support/cluster.mjs';
import { hasShards, listed } from '../cluster/support/members.mjs';
import { portOf, situations } from './situations.mjs';

/** @typedef {import('../cluster/support/cluster.mjs').ClusterOptions} ClusterOptions */
/** @typedef {import('../cluster/support/cluster.mjs').TestCluster} TestCluster */
/** @typedef {import('../cluster/support/node.mjs').ClusterNode} ClusterNode */
/** @typedef {import('./situations.mjs').Situation} Situation */
/** @typedef {import('./situations.mjs').View} View */

/** The clients whose replies differ. Those of RESP3 with the default mapping are those of RESP2. */
const CLIENTS = /** @type {const} */ ({
  '': { protocol: 2 },
  '.maps': { protocol: 3, replyMapping: 'resp3' },
  '.strings': { protocol: 2, stringNumbers: true },
});

/** Numbers as strings are recorded in this situation only, as they look the same in all. */
const WHOLE = 'replicated';

const ROOM = 10;

/**
 * @param {View} view
 * @param {{ shards: boolean, strings: boolean }} forms
 */
async function replies({ host, port, tls }, { shards, strings }) {
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const [shape, options] of Object.entries(CLIENTS)) {
    if (shape === '.strings' && !strings) continue;
    const redis = new Redis({ host, port, ...(tls && { tls }), ...options });
    try {
      all[`slots${shape}`] = await redis.call('CLUSTER', 'SLOTS');
      if (shards) all[`shards${shape}`] = await redis.call('CLUSTER', 'SHARDS');
      if (shape === '') all.nodes = await redis.call('CLUSTER', 'NODES');
    } finally {
      redis.disconnect();
    }
  }
  return all;
}

/**
 * @param {string} server
 * @param {string} name
 * @param {Situation} situation
 */
async function record(server, name, { options = {}, arrange, views }) {
  const ports = Array.from({ length: ROOM }, (_, index) => portOf(index));
  const { config } = options;
  const cluster = await startCluster({
    ...options,
    server,
    ports,
    config: (port) => ({
      'repl-ping-replica-period': '1',
      ...(typeof config === 'function' ? config(port) : config),
    }),
  });
  try {
    const [first] = /** @type {[ClusterNode]} */ (cluster.nodes);
    await listed(cluster);
    await arrange?.(cluster, (index) => cluster.nodeAt(portOf(index)));
    const forms = { shards: await hasShards(first), strings: name === WHOLE };
    for (const [view, asked] of Object.entries(views?.(cluster) ?? { [name]: first }))
      write(server, view, await replies(asked, forms));
  } finally {
    await cluster.stop();
  }
}

/**
 * @param {string} server
 * @param {string} view
 * @param {Record<string, unknown>} forms
 */
function write(server, view, forms) {
  const name = describeServer(server).version.toLowerCase().replace(' ', '-');
  const dir = new URL(`topologies/servers/${name}/`, import.meta.url);
  mkdirSync(dir, { recursive: true });
  const lines = Object.entries(forms).map(
    ([form, reply]) => `  "${form}": ${JSON.stringify(reply)}`,
  );
  writeFileSync(new URL(`${view}.json`, dir), `{\n${lines.join(',\n')}\n}\n`);
  console.log(`${name}/${view}.json`);
}

/**
 * Why a server cannot be in a situation, or null.
 * @param {string} server
 * @param {Situation} situation
 */
async function obstacle(server, { options }) {
  try {
    const cluster = await startCluster({ ...options, primaries: 1, replicas: 0, server });
    await cluster.stop();
    return null;
  } catch (error) {
    if (/Bad directive/.test(String(error))) return 'it does not know the settings';
    if (/Failed finding TLS support/.test(String(error))) return 'it was built without TLS';
    throw error;
  }
}

const named = process.argv.slice(2);
const all = situations();
const servers = Object.keys(catalogue);
const unknown = named.find((name) => !servers.includes(name) && !all[name]);
if (unknown) throw new Error(`${unknown} is neither a server nor a situation`);
/** @type {(names: string[]) => string[]} */
const chosen = (names) => {
  const some = names.filter((name) => named.includes(name));
  return some.length > 0 ? some : names;
};
for (const name of chosen(servers)) {
  const server = fetchServer(name);
  for (const situation of chosen(Object.keys(all))) {
    const made = /** @type {Situation} */ (all[situation]);
    const reason = await obstacle(server, made);
    if (reason) console.log(`${name} is left out of ${situation}: ${reason}`);
    else await record(server, situation, made);
  }
}
