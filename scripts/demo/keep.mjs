import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** @typedef {import('../../tests/cluster/support/cluster.mjs').TestCluster} TestCluster */

/**
 * Tells how to run the examples on the cluster, and waits for Ctrl-C.
 * @param {TestCluster} servers
 */
export async function keepRunning(servers) {
  const nodes = servers.nodes.map(({ endpoint }) => endpoint).join(',');
  const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs'));
  console.log(
    '\nThe cluster runs until Ctrl-C. In another terminal, from the root of this clone:\n',
  );
  for (const file of examples) console.log(`   REDIS_CLUSTER=${nodes} node examples/${file}`);
  // With a listener of our own the servers' watcher leaves the end of this process to us.
  await new Promise((resolve) => process.once('SIGINT', resolve));
  console.log('\nStopping the servers.');
}
