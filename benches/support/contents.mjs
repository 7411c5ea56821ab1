import assert from 'node:assert/strict';
import { ownersOf, setsByHand } from './by-hand.mjs';
import { openIoredis } from './clients.mjs';

/** @typedef {import('./stage.mjs').TestCluster} TestCluster */

/** @param {TestCluster} servers */
export async function flush(servers) {
  await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
}

/**
 * @param {TestCluster} servers
 * @param {import('./pairs.mjs').Pairs} pairs
 */
export async function fill(servers, pairs) {
  const cluster = await openIoredis(servers.startupNodes);
  try {
    await setsByHand(await ownersOf(cluster), pairs);
  } finally {
    cluster.disconnect();
  }
}

/**
 * Runs `work` on an empty cluster and compares what the servers then hold with the pairs.
 * @param {TestCluster} servers
 * @param {import('./pairs.mjs').Pairs} pairs
 * @param {string} name
 * @param {() => Promise<unknown>} work
 */
export async function checkWriter(servers, { keys, values }, name, work) {
  await flush(servers);
  await work();
  const contents = await servers.contents();
  assert.equal(contents.size, keys.length, name);
  for (const [at, key] of keys.entries()) assert.equal(contents.get(key), values[at], name);
}
