/** What a command costs in a large batch and in a small one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { redslot } from 'redslot-wasm/ioredis';
import { getsByHand, ownersOf } from './support/by-hand.mjs';
import { openIoredis } from './support/clients.mjs';
import { byTurns, withContenders } from './support/contender.mjs';
import { pairsOf } from './support/pairs.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';

/** @typedef {import('ioredis').Cluster} Cluster */
/** @typedef {import('./support/clients.mjs').Address} Address */
/** @typedef {import('./support/pairs.mjs').Pairs} Pairs */
/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {{ name: string, way: keyof typeof ways, prefix: string, rounds: number, target?: number }} Read */

const PARTS = 10;
const KEYS_PER_MGET = 10;
/** Linear would be 1; the larger heap costs the collector something. */
const TARGET = 1.25;

const replies = (/** @type {any[]} */ lists) =>
  lists.flat().map(([error, value]) => error ?? value);

/** @satisfies {Record<string, import('./support/contender.mjs').Way>} */
export const ways = {
  gets: {
    open: async (nodes) => {
      const cluster = await openIoredis(nodes);
      return (pairs) => gets(cluster, pairs);
    },
    values: replies,
  },
  mgets: {
    open: async (nodes) => {
      const cluster = await openIoredis(nodes);
      return (pairs) => mgets(cluster, pairs);
    },
    values: (lists) => replies(lists).flat(),
  },
  hand: {
    open: async (nodes) => {
      const owners = await ownersOf(await openIoredis(nodes));
      return (pairs) => getsByHand(owners, pairs);
    },
    values: replies,
  },
};

/** @type {Read[]} */
const READS = [
  { name: 'GETs', way: 'gets', prefix: '', rounds: 9, target: TARGET },
  { name: 'GETs, each redirected by ASK', way: 'gets', prefix: 'ask:', rounds: 3, target: TARGET },
  {
    name: `MGETs of ${KEYS_PER_MGET} keys, each split`,
    way: 'mgets',
    prefix: '',
    rounds: 9,
    target: TARGET,
  },
  { name: 'GETs, node pipelines by hand', way: 'hand', prefix: '', rounds: 9 },
];

/** @param {Scale} scale */
export async function* run(scale) {
  const count = scale.size(200_000, 2000);
  const worker = new Worker(new URL('support/responder-worker.mjs', import.meta.url));
  try {
    const [ports] = await once(worker, 'message');
    const nodes = ports.map((/** @type {number} */ port) => ({ host: '127.0.0.1', port }));
    yield await measure(scale, count, nodes);
  } finally {
    await worker.terminate();
  }
}

/**
 * @param {Scale} scale
 * @param {number} count
 * @param {Address[]} nodes
 */
async function measure(scale, count, nodes) {
  const part = count / PARTS;
  const rows = [];
  for (const { name, way, prefix, rounds, ...target } of READS) {
    scale.tell(name);
    const job = { part: import.meta.url, way, nodes, count, prefix };
    const jobs = [count, part].map((size) => ({ ...job, size }));
    const [whole = [], small = []] = await withContenders(jobs, async (contenders) => {
      const { keys } = pairsOf(count, prefix);
      for (const { tryOut } of contenders) assert.deepEqual(await tryOut(), keys, name);
      return byTurns(contenders, { rounds: scale.rounds(rounds), warmups: 1 });
    });
    const against = `ten times ${inWords(part)}`;
    rows.push(
      partOfTime({ work: name, ours: whole, against, theirs: small, per: count, ...target }),
    );
  }
  return {
    title: `Bookkeeping, ${inWords(count)} commands against ${inWords(part)}`,
    note:
      'Time per command, or per key of MGET; the large batch and the small ones each in a process ' +
      'of its own. The nodes are a thread that answers each key with the key itself, so no server ' +
      'has a say; the time of ioredis and of the sockets is within, and pipelines by hand show how ' +
      'that grows by itself.',
    checked: 'that each reply is the key of its command',
    heading: PART_OF_TIME,
    rows,
  };
}

/**
 * @param {Cluster} cluster
 * @param {Pairs} pairs
 */
function gets(cluster, { keys }) {
  const pipeline = redslot(cluster).pipeline();
  for (const key of keys) pipeline.get(key);
  return pipeline.exec();
}

/**
 * @param {Cluster} cluster
 * @param {Pairs} pairs
 */
function mgets(cluster, { keys }) {
  const pipeline = redslot(cluster).pipeline();
  for (let at = 0; at < keys.length; at += KEYS_PER_MGET) {
    pipeline.mget(keys.slice(at, at + KEYS_PER_MGET));
  }
  return pipeline.exec();
}
