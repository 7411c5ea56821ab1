const job = require('@packaging/job');
const { Cluster } = require('ioredis');
const { redslot } = require('redslot-wasm/ioredis');

test('a batch goes to every primary', async () => {
  const replies = await job.replies(redslot, Cluster, process.env.REDIS_CLUSTER);
  expect(replies).toEqual(job.facts.replies);
});

test('bytes that a test makes are keys and values', async () => {
  const [host, port] = process.env.REDIS_CLUSTER.split(',')[0].split(':');
  const cluster = new Cluster([{ host, port: Number(port) }]);
  const slots = redslot(cluster);
  await slots.mset(new Map([[Uint8Array.of(102, 111, 111), Buffer.from('1')]]));
  expect(await slots.mget([Buffer.from('foo')])).toEqual(['1']);
  expect(await slots.del(['foo'])).toBe(1);
  cluster.disconnect();
});
