import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.mjs';

/** @typedef {import('./cluster.mjs').TestCluster} TestCluster */
/** @typedef {import('./node.mjs').ClusterNode} ClusterNode */

/** @param {ClusterNode} node */
export async function hasShards(node) {
  const [command] = await node.ask('COMMAND', 'INFO', 'cluster|shards');
  return Boolean(command);
}

/**
 * Waits until every running node lists every replica: CLUSTER SLOTS leaves out one that has yet to
 * report what it received, and CLUSTER SHARDS has it in a shard of its own until its node has heard
 * which one it is in.
 * @param {TestCluster} cluster
 */
export async function listed(cluster) {
  await until('every node lists all replicas', async () => {
    const all = await Promise.all(cluster.running.map((node) => lists(node, cluster)));
    return all.every(Boolean);
  });
}

/**
 * @param {ClusterNode} node
 * @param {TestCluster} cluster
 */
async function lists(node, { primaries, replicas }) {
  const entries = /** @type {unknown[][]} */ (await node.ask('CLUSTER', 'SLOTS'));
  const found = entries.reduce((sum, entry) => sum + entry.length - 3, 0);
  if (found < replicas.length) return false;
  if (!(await hasShards(node))) return true;
  const shards = /** @type {unknown[]} */ (await node.ask('CLUSTER', 'SHARDS'));
  return shards.length === primaries.length && !JSON.stringify(shards).includes('loading');
}

/**
 * Kills a node and waits until every other knows that it failed.
 * @param {TestCluster} cluster
 * @param {ClusterNode} node
 */
export async function fail(cluster, node) {
  await node.kill();
  await until('everybody knows that it failed', () => flagged(cluster.running, node.id, 'fail'));
}

/**
 * Puts another node at the address of one, so that the others no longer know where that is.
 * @param {TestCluster} cluster
 * @param {ClusterNode} node
 */
export async function replace(cluster, node) {
  const { id } = node;
  await fail(cluster, node);
  const others = cluster.running;
  rmSync(join(node.dir, 'nodes.conf'));
  await node.restart();
  await until('nobody knows its address', () => flagged(others, id, 'noaddr'));
}

/**
 * Whether all these nodes list another under a flag of CLUSTER NODES.
 * @param {ClusterNode[]} nodes
 * @param {string} id
 * @param {string} flag
 */
async function flagged(nodes, id, flag) {
  const texts = await Promise.all(nodes.map((node) => node.ask('CLUSTER', 'NODES')));
  const lines = texts.map((text) =>
    String(text)
      .split('\n')
      .find((line) => line.startsWith(id)),
  );
  return lines.every((line) => line?.split(' ')[2]?.split(',').includes(flag));
}
