import { after } from 'node:test';
import type { ClusterClass, ClusterInstance, ClusterSettings } from './clients.ts';
import { type ClusterOptions, startCluster, type TestCluster } from './cluster.mjs';

/** Starts servers and clients for the suite that calls it, and ends them after it. */
export function stage() {
  const clusters: TestCluster[] = [];
  const clients: ClusterInstance[] = [];
  after(async () => {
    for (const client of clients) client.disconnect();
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  });
  return {
    async start(options?: ClusterOptions): Promise<TestCluster> {
      const cluster = await startCluster(options);
      clusters.push(cluster);
      return cluster;
    },
    connect(
      Cluster: ClusterClass,
      servers: TestCluster,
      options: ClusterSettings = {},
    ): ClusterInstance {
      const client = new Cluster(servers.startupNodes, options);
      // Told of lost nodes by design; without a listener it would be an uncaught error.
      client.on('error', () => {});
      clients.push(client);
      return client;
    },
  };
}
