/** What a command costs in a large batch and in a small one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Cluster } from 'ioredis';
import { redslot } from 'redslot-wasm/ioredis';
import { getsByHand, ownersOf } from './support/by-hand.mjs';
import { inWords, PART_OF_TIME, partOfTime } from './support/section.mjs';
import { inTurns } from './support/turns.mjs';

/** @typedef {import('./support/scale.mjs').Scale} Scale */
/** @typedef {(keys: string[]) => Promise<unknown[]>} Read gives what the nodes answered, by key */

const PARTS = 10;
const KEYS_PER_MGET = 10;
/** Linear would be 1; the larger heap costs the collector something. */
const TARGET = 1.25;

/** @param {Scale} scale */
export async function* run(scale) {
  const count = scale.size(200_000, 2000);
  const worker = new Worker(new URL('support/responder-worker.mjs', import.meta.url));
  /** @type {Cluster | null} */
  let cluster = null;
  try {
    const [ports] = await once(worker, 'message');
    const nodes = ports.map((/** @type {number} */ port) => ({ host: '127.0.0.1', port }));
    cluster = new Cluster(nodes);
    await once(cluster, 'ready');
    yield await measure(scale, count, await readsOf(cluster));
  } finally {
    cluster?.disconnect();
    await worker.terminate();
  }
}

/**
 * @param {Scale} scale
 * @param {number} count
 * @param {{ name: string, prefix: string, read: Read, rounds: number, target?: number }[]} reads
 */
async function measure(scale, count, reads) {
  const part = count / PARTS;
  const rows = [];
  for (const { name, prefix, read, rounds, ...target } of reads) {
    scale.tell(name);
    const keys = Array.from({ length: count }, (_, at) =>
      `${prefix}bench:key:${at}`.padEnd(30, '.'),
    );
    assert.deepEqual(await read(keys), keys);
    const parts = Array.from({ length: PARTS }, (_, at) => keys.slice(at * part, (at + 1) * part));
    const inParts = async () => {
      for (const some of parts) await read(some);
    };
    const [whole = [], small = []] = await inTurns(
      [
        { name: 'whole', work: () => read(keys) },
        { name: 'in parts', work: inParts },
      ],
      { rounds: scale.rounds(rounds), warmups: 0 },
    );
    const against = `ten times ${inWords(part)}`;
    rows.push(
      partOfTime({ work: name, ours: whole, against, theirs: small, per: count, ...target }),
    );
  }
  return {
    title: `Bookkeeping, ${inWords(count)} commands against ${inWords(part)}`,
    note:
      'Time per command, or per key of MGET. The nodes are a thread that answers each key with the ' +
      'key itself, so no server has a say; the time of ioredis and of the sockets is within, and ' +
      'pipelines by hand show how that grows by itself.',
    checked: 'that each reply is the key of its command',
    heading: PART_OF_TIME,
    rows,
  };
}

/** @param {Cluster} cluster */
async function readsOf(cluster) {
  const owners = await ownersOf(cluster);
  const slots = redslot(cluster);
  /** @type {Read} */
  const gets = async (keys) => {
    const pipeline = slots.pipeline();
    for (const key of keys) pipeline.get(key);
    return ((await pipeline.exec()) ?? []).map(([error, value]) => error ?? value);
  };
  /** @type {Read} */
  const mgets = async (keys) => {
    const pipeline = slots.pipeline();
    for (let at = 0; at < keys.length; at += KEYS_PER_MGET) {
      pipeline.mget(keys.slice(at, at + KEYS_PER_MGET));
    }
    return ((await pipeline.exec()) ?? []).flatMap(([error, value]) => error ?? value);
  };
  /** @type {Read} */
  const byHand = async (keys) => {
    const replies = await getsByHand(owners, { keys });
    return replies.map(([error, value]) => error ?? value);
  };
  return [
    { name: 'GETs', prefix: '', read: gets, rounds: 9, target: TARGET },
    { name: 'GETs, each redirected by ASK', prefix: 'ask:', read: gets, rounds: 3, target: TARGET },
    {
      name: `MGETs of ${KEYS_PER_MGET} keys, each split`,
      prefix: '',
      read: mgets,
      rounds: 9,
      target: TARGET,
    },
    { name: 'GETs, node pipelines by hand', prefix: '', read: byHand, rounds: 9 },
  ];
}
