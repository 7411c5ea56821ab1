import { afterEach } from 'node:test';
import type { ClusterClass, ClusterInstance, ClusterSettings } from './clients.ts';
import { ScriptedCluster, type ScriptedNode } from './scripted.ts';

/** Starts scripted nodes and a client for each test of the suite that calls it, and ends them. */
export function scriptedStage(Cluster: ClusterClass) {
  const running: { client: ClusterInstance; servers: ScriptedCluster }[] = [];
  afterEach(() => {
    for (const { client, servers } of running.splice(0)) {
      client.disconnect();
      servers.stop();
    }
  });
  return async (count: number, options: ClusterSettings = {}) => {
    const servers = await ScriptedCluster.start(count);
    const client = new Cluster(servers.startupNodes, { slotsRefreshTimeout: 2000, ...options });
    running.push({ client, servers });
    return {
      client,
      servers,
      nodes: servers.nodes as [ScriptedNode, ScriptedNode, ...ScriptedNode[]],
    };
  };
}
