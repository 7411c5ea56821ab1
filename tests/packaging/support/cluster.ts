import { after, before } from 'node:test';
import { startCluster, type TestCluster } from '../../cluster/support/cluster.mjs';

/**
 * Starts three primaries for the suite that calls it, and stops them after it.
 * @returns a function that gives the variable by which a project finds them
 */
export function clusterFor(): () => { REDIS_CLUSTER: string } {
  let cluster: TestCluster | undefined;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster?.stop());
  return () => {
    const nodes = cluster?.startupNodes ?? [];
    return { REDIS_CLUSTER: nodes.map(({ host, port }) => `${host}:${port}`).join() };
  };
}
