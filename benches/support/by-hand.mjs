import clusterKeySlot from 'cluster-key-slot';
import { SLOTS } from './ranges.mjs';

/** @typedef {import('ioredis').Cluster} Cluster */
/** @typedef {import('ioredis').Redis} Redis */
/** @typedef {import('ioredis').ChainableCommander} Pipeline */

/**
 * The connection of the primary of each slot, by CLUSTER SLOTS.
 * @param {Cluster} cluster
 */
export async function ownersOf(cluster) {
  const nodes = new Map(
    cluster.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  /** @type {Redis[]} */
  const owners = new Array(SLOTS);
  for (const [start, end, primary] of await cluster.cluster('SLOTS')) {
    const node = nodes.get(`${primary?.[0]}:${primary?.[1]}`);
    owners.fill(/** @type {Redis} */ (node), start, end + 1);
  }
  return owners;
}

/**
 * The recipe done right: one pipeline per primary, all at once, the replies put back by position.
 * @param {Redis[]} owners
 * @param {string[]} keys
 * @param {(pipeline: Pipeline, key: string, at: number) => unknown} record
 */
async function byHand(owners, keys, record) {
  /** @type {Map<Redis, { pipeline: Pipeline, positions: number[] }>} */
  const shares = new Map();
  for (let at = 0; at < keys.length; at++) {
    const key = /** @type {string} */ (keys[at]);
    const node = /** @type {Redis} */ (owners[clusterKeySlot(key)]);
    let share = shares.get(node);
    if (!share) {
      share = { pipeline: node.pipeline(), positions: [] };
      shares.set(node, share);
    }
    record(share.pipeline, key, at);
    share.positions.push(at);
  }
  /** @type {[Error | null, unknown][]} */
  const replies = new Array(keys.length);
  await Promise.all(
    [...shares.values()].map(async ({ pipeline, positions }) => {
      const some = (await pipeline.exec()) ?? [];
      for (let i = 0; i < positions.length; i++) {
        const at = /** @type {number} */ (positions[i]);
        replies[at] = /** @type {[Error | null, unknown]} */ (some[i]);
      }
    }),
  );
  return replies;
}

/**
 * @param {Redis[]} owners
 * @param {import('./pairs.mjs').Pairs} pairs
 */
export function setsByHand(owners, { keys, values }) {
  return byHand(owners, keys, (pipeline, key, at) =>
    pipeline.set(key, /** @type {string} */ (values[at])),
  );
}

/**
 * @param {Redis[]} owners
 * @param {{ keys: string[] }} pairs
 */
export function getsByHand(owners, { keys }) {
  return byHand(owners, keys, (pipeline, key) => pipeline.get(key));
}
