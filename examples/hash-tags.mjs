// Keys with the same text in braces live in one slot. That is what a transaction over several keys
// needs, and what lets one node list all keys of a user.
//
//   REDIS_CLUSTER=127.0.0.1:7000 node examples/hash-tags.mjs
import { Cluster } from 'ioredis';
import { explainKey, keySlots, patternSlot } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

const cluster = new Cluster((process.env.REDIS_CLUSTER ?? '127.0.0.1:7000').split(','));
cluster.on('error', (error) => console.error(`Cluster: ${error.message}`));
const slots = redslot(cluster);

/** @param {number} user */
const tagOf = (user) => `{user:${user}}`;

/**
 * Makes an order of a cart: both keys and the counter change together or not at all.
 * @param {number} user
 */
async function checkOut(user) {
  const tag = tagOf(user);
  const number = await cluster.incr(`${tag}:orders`);
  const replies = await cluster
    .multi()
    .rename(`${tag}:cart`, `${tag}:order:${number}`)
    .hset(`${tag}:order:${number}`, 'state', 'paid')
    .set(`${tag}:last-order`, number)
    .exec();
  for (const [error] of replies ?? []) if (error) throw error;
  return number;
}

try {
  console.log('1. The slot of a key is that of its tag where it has one');
  for (const key of ['user:1:cart', 'user:1:orders', '{user:1}:cart', '{user:1}:orders']) {
    const { slot, hashed } = explainKey(key);
    console.log(`   ${key} is in slot ${slot}, that of ${hashed}`);
  }

  console.log('2. RENAME, as any command that needs two keys at once, wants them in one slot');
  const renames = [
    ['rename', 'user:1:cart', 'user:1:order:1'],
    ['rename', '{user:1}:cart', '{user:1}:order:1'],
  ];
  for (const [i, { refused }] of (await slots.explain(renames)).entries()) {
    console.log(`   ${renames[i]?.join(' ')}: ${refused ? refused.code : 'possible'}`);
  }

  console.log('3. The carts of 1,000 users, in one pipeline over all nodes');
  const users = Array.from({ length: 1000 }, (_, i) => i + 1);
  const pipeline = slots.pipeline();
  for (const user of users) {
    // The commands of one slot keep their order.
    pipeline.del(`${tagOf(user)}:cart`);
    pipeline.hset(`${tagOf(user)}:cart`, { apples: user, pears: 2 });
  }
  const replies = (await pipeline.exec()) ?? [];
  console.log(`   ${replies.filter(([error]) => error === null).length} commands executed`);

  console.log('4. A transaction on one tag, which is one of ioredis, as it stays on one node');
  const order = await checkOut(1);
  console.log(`   user 1 has order ${order}:`);
  console.log('  ', await cluster.hgetall(`{user:1}:order:${order}`));

  console.log('5. All keys of a user: the pattern has a tag, so one node is asked');
  const match = '{user:1}:*';
  const found = [];
  for await (const key of slots.scan({ match })) found.push(key);
  console.log(`   ${match} is slot ${patternSlot(match)}: ${found.sort().join(' ')}`);

  // A slot lives on one node, so tags with few values leave nodes idle.
  console.log('6. A tag must have many values, because its slot cannot be divided');
  const byUser = users.map((user) => `${tagOf(user)}:cart`);
  const byCountry = users.map((user) => `{country:${['de', 'fr', 'kr'][user % 3]}}:cart:${user}`);
  console.log(`   1,000 carts by user: ${new Set(keySlots(byUser)).size} slots`);
  console.log(`   1,000 carts by country: ${new Set(keySlots(byCountry)).size} slots`);
} finally {
  cluster.disconnect();
}
