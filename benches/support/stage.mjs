import { startCluster } from '../../tests/cluster/support/cluster.mjs';

/** @typedef {import('../../tests/cluster/support/cluster.mjs').TestCluster} TestCluster */

/**
 * Yields what `work` does with a cluster of three primaries, and ends it whatever happens.
 * @template Result
 * @param {(servers: TestCluster) => AsyncGenerator<Result>} work
 */
export async function* onCluster(work) {
  const servers = await startCluster({ primaries: 3 });
  try {
    yield* work(servers);
  } finally {
    await servers.stop();
  }
}
