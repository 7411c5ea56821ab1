import assert from 'node:assert/strict';
import type { MultiKey } from 'redslot-wasm/ioredis';
import type { TestCluster } from '../../cluster/support/cluster.mjs';

/** The slot of `foo`, which the third primary has. */
const SLOT = 12182;

/** Asserts that calls follow the slot of `foo` to another primary by one redirect; moves it back. */
export async function assertFollowed(servers: TestCluster, slots: MultiKey): Promise<void> {
  await slots.mset({ b: 1, foo: 2 });
  const [target, , source] = servers.primaries.map(({ port }) => port) as [number, number, number];
  const moves = await servers.errorCount('MOVED');
  await servers.moveSlot(SLOT, source, target);
  assert.deepEqual(await slots.mget(['b', 'foo']), ['1', '2']);
  assert.equal((await servers.errorCount('MOVED')) - moves, 1);
  await servers.settled();
  await servers.moveSlot(SLOT, target, source);
  await servers.settled();
}
