import { Cluster } from 'ioredis';
import { SlotMap } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { startCluster } from '../../tests/cluster/support/cluster.mjs';
import { Failure } from '../run.mjs';
import { findServer } from '../server.mjs';
import { readBack, writeAll } from './batches.mjs';
import { keepRunning } from './keep.mjs';
import { makePairs, TTL_SECONDS } from './pairs.mjs';
import { printShares } from './shares.mjs';

/** @typedef {import('./pairs.mjs').Pair} Pair */

/**
 * The whole demo on a cluster of its own, which is gone afterwards.
 * @param {{ keys: number, keep: boolean }} options
 */
export async function demonstrate({ keys, keep }) {
  const server = findServer();
  console.log(`Starting three primaries of ${server.version} on 127.0.0.1 ...`);
  const servers = await startCluster({ server: server.path });
  try {
    await showOn(servers, keys);
    console.log('\nThe same arithmetic in a browser, key by key: npm run playground');
    if (keep) await keepRunning(servers);
  } finally {
    await servers.stop();
  }
}

/**
 * @param {import('../../tests/cluster/support/cluster.mjs').TestCluster} servers
 * @param {number} keys
 */
async function showOn(servers, keys) {
  const cluster = new Cluster(servers.startupNodes);
  try {
    const few = makePairs('first', 10);
    const many = makePairs('user', keys);
    await showTheProblem(cluster, few);
    const map = await showThePartition(cluster, few);
    await writeAndRead(cluster, few, '3. The same 10 SETs through redslot(cluster).pipeline()');
    await writeAndRead(cluster, many, `4. ${count(keys)} keys, in pipelines of 1,000`);
    await printShares(map, [...few, ...many], servers.primaries);
  } finally {
    cluster.disconnect();
  }
}

/**
 * @param {Cluster} cluster
 * @param {Pair[]} pairs
 */
async function showTheProblem(cluster, pairs) {
  console.log(
    `\n1. ${pairs.length} SETs on keys of several nodes through cluster.pipeline() of ioredis`,
  );
  const pipeline = cluster.pipeline();
  for (const { key, value } of pairs) pipeline.set(key, value, 'EX', TTL_SECONDS);
  const failure = await pipeline.exec().then(
    () => null,
    (error) => error,
  );
  if (failure === null) throw new Failure('   It did not fail, so there is nothing to show.');
  console.log(`   Rejected: ${failure.message}`);
}

/**
 * @param {Cluster} cluster
 * @param {Pair[]} pairs
 */
async function showThePartition(cluster, pairs) {
  console.log("\n2. SlotMap.fromSlots(await cluster.cluster('SLOTS')).partition(keys)");
  const map = SlotMap.fromSlots(await cluster.cluster('SLOTS'));
  const { groups, unowned } = map.partition(pairs.map(({ key }) => key));
  if (unowned.length > 0) throw new Failure(`   ${unowned.length} keys have no owner.`);
  for (const { node, indices } of groups) {
    const names = Array.from(indices, (index) => pairs[index]?.key);
    console.log(`   ${node.endpoint}  ${names.join(' ')}`);
  }
  return map;
}

/**
 * @param {Cluster} cluster
 * @param {Pair[]} pairs
 * @param {string} title
 */
async function writeAndRead(cluster, pairs, title) {
  console.log(`\n${title}`);
  const slots = redslot(cluster);
  console.log(`   written    ${await timed(pairs, () => writeAll(slots, pairs))}`);
  console.log(`   read back  ${await timed(pairs, () => readBack(slots, pairs))}, all bytes equal`);
}

/**
 * @param {Pair[]} pairs
 * @param {() => Promise<void>} action
 */
async function timed(pairs, action) {
  const started = performance.now();
  await action();
  const ms = Math.ceil(performance.now() - started);
  // The time of a few keys is that of connecting, not a rate.
  const rate = pairs.length < 1000 ? '' : ` (${count((pairs.length / ms) * 1000)} per second)`;
  return `${count(pairs.length)} in ${count(ms)} ms${rate}`;
}

/** @param {number} value */
function count(value) {
  return Math.round(value).toLocaleString('en-US');
}
