import { Cluster } from 'ioredis';
import { startCluster } from '../../tests/cluster/support/cluster.mjs';
import { openGlide, openNodeRedis } from './peers.mjs';

/** @typedef {Awaited<ReturnType<typeof open>>} Clients */
/** @typedef {import('../../tests/cluster/support/cluster.mjs').TestCluster} TestCluster */

/** @param {{ name: string }[]} ways */
export function noteOnGlide(ways) {
  const present = ways.some(({ name }) => name.includes('valkey-glide'));
  return present ? '' : ' valkey-glide is left out: there is no binary of it for this platform.';
}

/**
 * Yields what `work` does with a cluster of three primaries and every client connected to it, and
 * ends all of them whatever happens.
 * @template Result
 * @param {(clients: Clients, servers: TestCluster) => AsyncGenerator<Result>} work
 */
export async function* onCluster(work) {
  const servers = await startCluster({ primaries: 3 });
  /** @type {(() => unknown)[]} */
  const closers = [];
  try {
    yield* work(await open(servers, closers), servers);
  } finally {
    await Promise.allSettled(closers.map(async (close) => close()));
    await servers.stop();
  }
}

/**
 * @param {TestCluster} servers
 * @param {(() => unknown)[]} closers
 */
async function open(servers, closers) {
  const nodes = servers.startupNodes;
  const cluster = new Cluster(nodes);
  closers.push(() => cluster.disconnect());
  const auto = new Cluster(nodes, { enableAutoPipelining: true });
  closers.push(() => auto.disconnect());
  const nodeRedis = await openNodeRedis(nodes);
  closers.push(() => nodeRedis.close());
  const glide = await openGlide(nodes);
  closers.push(() => glide?.close());
  // One command opens a connection to one node only; these open all.
  for (const client of [cluster, auto]) {
    await client.set('warm', 'up');
    await Promise.all(client.nodes('master').map((node) => node.ping()));
  }
  return { cluster, auto, nodeRedis, glide };
}
