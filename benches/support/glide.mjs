/** @typedef {import('./clients.mjs').Address} Address */

/** Whether valkey-glide can be loaded here. */
export function hasGlide() {
  return import('@valkey/valkey-glide').then(
    () => true,
    () => false,
  );
}

/** @param {boolean} present */
export function noteOnGlide(present) {
  return present ? '' : ' valkey-glide is left out: there is no binary of it for this platform.';
}

/** @param {Address[]} addresses */
export async function openGlide(addresses) {
  const { ClusterBatch, GlideClusterClient, Logger } = await import('@valkey/valkey-glide');
  // It warns of large batches, in the middle of the tables.
  Logger.init('error');
  // By default a request may take 250 ms, and a burst takes longer.
  const client = await GlideClusterClient.createClient({ addresses, requestTimeout: 60_000 });
  return {
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
