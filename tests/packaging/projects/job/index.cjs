/**
 * What every project does with the package, which each imports in its own way, and what that gives
 * where the package works. The slots are those of CLUSTER KEYSLOT.
 */

exports.facts = require('./facts.json');

const KEYS = ['foo', 'bar', '{user1000}.following', 'user:1'];

/** Three primaries, as CLUSTER SLOTS tells of them. */
const REPLY = [
  [0, 5460, ['192.0.2.1', 7000, 'p1', []]],
  [5461, 10922, ['192.0.2.2', 7001, 'p2', []]],
  [10923, 16383, ['192.0.2.3', 7002, 'p3', []]],
];

/** A hash slot, and the indices of keys by the port of their primary. */
exports.slots = ({ keySlot, SlotMap }) => {
  const { groups } = SlotMap.fromSlots(REPLY).partition(KEYS);
  return {
    slot: keySlot('{user1000}.following'),
    groups: groups.map(({ node, indices }) => [node.port, Array.from(indices)]),
  };
};

/**
 * The replies of one batch over three primaries, which leaves nothing behind.
 * @param slots what redslot-wasm/ioredis gives for a cluster
 */
exports.batch = (slots) => {
  const batch = slots.pipeline();
  for (const [index, key] of KEYS.entries()) batch.set(key, `value ${index}`);
  for (const key of KEYS) batch.get(key);
  batch.del(...KEYS);
  return batch.exec();
};

/**
 * The same through a cluster that is opened for it.
 * @param {Function} redslot of redslot-wasm/ioredis
 * @param {Function} Cluster of ioredis
 * @param {string} nodes as in "host:port,host:port"
 */
exports.replies = async (redslot, Cluster, nodes) => {
  const startup = nodes.split(',').map((node) => {
    const [host, port] = node.split(':');
    return { host, port: Number(port) };
  });
  const cluster = new Cluster(startup);
  try {
    return await exports.batch(redslot(cluster));
  } finally {
    cluster.disconnect();
  }
};
