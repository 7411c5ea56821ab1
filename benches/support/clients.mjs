import { Cluster } from 'ioredis';

/** @typedef {{ host: string, port: number }} Address */

/**
 * @param {Address[]} nodes
 * @param {{ enableAutoPipelining?: boolean }} [options]
 */
export async function openIoredis(nodes, options = {}) {
  const cluster = new Cluster(nodes, options);
  // One command opens a connection to one node only; these open all.
  await cluster.set('warm', 'up');
  await Promise.all(cluster.nodes('master').map((node) => node.ping()));
  return cluster;
}

/** @param {Address[]} nodes */
export async function openNodeRedis(nodes) {
  const { createCluster } = await import('redis');
  const rootNodes = nodes.map((socket) => ({ socket }));
  // By default each command gets a timer of 5 s. Those slow it down to less than half, stay in its
  // way until they are due, and on a busy machine a burst takes longer.
  const client = createCluster({ rootNodes, commandOptions: { timeout: 0 } });
  // What fails rejects its own command too; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}
