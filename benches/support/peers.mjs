import { createCluster } from 'redis';

/** @typedef {{ host: string, port: number }} Address */
/** @typedef {NonNullable<Awaited<ReturnType<typeof openGlide>>>} Glide */

/** @param {Address[]} nodes */
export async function openNodeRedis(nodes) {
  const rootNodes = nodes.map((socket) => ({ socket }));
  // By default each command gets a timer of 5 s. Those slow it down to less than half, stay in the
  // way of the others until they are due, and on a busy machine a burst takes longer.
  const client = createCluster({ rootNodes, commandOptions: { timeout: 0 } });
  // What fails rejects its own command too; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * A client of valkey-glide, or null where it cannot be loaded.
 * @param {Address[]} addresses
 */
export async function openGlide(addresses) {
  const glide = await import('@valkey/valkey-glide').catch(() => null);
  if (!glide) return null;
  const { ClusterBatch, GlideClusterClient, Logger } = glide;
  // It warns of large batches, in the middle of the tables.
  Logger.init('error');
  // By default a request may take 250 ms, and a burst takes longer.
  const client = await GlideClusterClient.createClient({ addresses, requestTimeout: 60_000 });
  return {
    close: () => client.close(),

    /** @param {import('./pairs.mjs').Pairs} pairs */
    setBatch({ keys, values }) {
      const batch = new ClusterBatch(false);
      for (let at = 0; at < keys.length; at++) {
        batch.set(/** @type {string} */ (keys[at]), /** @type {string} */ (values[at]));
      }
      return client.exec(batch, true);
    },

    /** @param {import('./pairs.mjs').Pairs} pairs */
    getBatch({ keys }) {
      const batch = new ClusterBatch(false);
      for (const key of keys) batch.get(key);
      return client.exec(batch, true);
    },

    /** @param {import('./pairs.mjs').Pairs} pairs */
    mset: ({ records }) => client.mset(records),

    /** @param {import('./pairs.mjs').Pairs} pairs */
    mget: ({ keys }) => client.mget(keys),
  };
}
