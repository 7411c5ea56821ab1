import { rewrite } from '../progress.mjs';
import { Failure } from '../run.mjs';
import { TTL_SECONDS } from './pairs.mjs';

/** @typedef {import('./pairs.mjs').Pair} Pair */
/** @typedef {import('redslot-wasm/ioredis').Redslot<import('ioredis').Cluster>} Redslot */

const BATCH = 1000;
const BAR = 30;

/**
 * @param {Redslot} slots
 * @param {Pair[]} pairs
 */
export async function writeAll(slots, pairs) {
  await inBatches(pairs, async (batch) => {
    const pipeline = slots.pipeline();
    for (const { key, value } of batch) pipeline.set(key, value, 'EX', TTL_SECONDS);
    for (const [i, reply] of (await replies(pipeline)).entries()) {
      if (reply !== 'OK') throw new Failure(`   SET ${batch[i]?.key} answered ${reply}`);
    }
  });
}

/**
 * @param {Redslot} slots
 * @param {Pair[]} pairs
 */
export async function readBack(slots, pairs) {
  let different = 0;
  await inBatches(pairs, async (batch) => {
    const pipeline = slots.pipeline();
    for (const { key } of batch) pipeline.getBuffer(key);
    for (const [i, reply] of (await replies(pipeline)).entries()) {
      if (!(reply instanceof Buffer) || batch[i]?.value.equals(reply) !== true) different++;
    }
  });
  if (different > 0) throw new Failure(`   ${different} of ${pairs.length} values differ.`);
}

/**
 * The results in call order; the first error is thrown.
 * @param {ReturnType<Redslot['pipeline']>} pipeline
 */
async function replies(pipeline) {
  const results = (await pipeline.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error) throw error;
    return result;
  });
}

/**
 * @param {Pair[]} pairs
 * @param {(batch: Pair[]) => Promise<void>} action
 */
async function inBatches(pairs, action) {
  const bar = process.stdout.isTTY && pairs.length > BATCH;
  for (let start = 0; start < pairs.length; start += BATCH) {
    await action(pairs.slice(start, start + BATCH));
    if (bar) rewrite(progress(Math.min(start + BATCH, pairs.length), pairs.length));
  }
  if (bar) rewrite('');
}

/**
 * @param {number} done
 * @param {number} total
 */
function progress(done, total) {
  const filled = Math.round((done / total) * BAR);
  const percent = Math.floor((done / total) * 100);
  return `   [${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${percent} %`;
}
