import assert from 'node:assert/strict';

/** @typedef {import('./stage.mjs').TestCluster} TestCluster */

/** @param {TestCluster} servers */
export async function flush(servers) {
  await Promise.all(servers.primaries.map((node) => node.ask('FLUSHALL')));
}

/**
 * Runs `work` on an empty cluster and compares what the servers then hold with the pairs.
 * @param {TestCluster} servers
 * @param {import('./pairs.mjs').Pairs} pairs
 * @param {import('./turns.mjs').Contender} contender
 */
export async function checkWriter(servers, { keys, values }, { name, work }) {
  await flush(servers);
  await work(undefined);
  const contents = await servers.contents();
  assert.equal(contents.size, keys.length, name);
  for (const [at, key] of keys.entries()) assert.equal(contents.get(key), values[at], name);
}
