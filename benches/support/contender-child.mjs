/**
 * One contender in a process of its own, with no client but its own: does its work whenever the
 * parent says so. Its heap is left to V8, so that it pays for the garbage that it makes.
 */
import { batchesOf, inBatches, pairsOf } from './pairs.mjs';

/** @typedef {import('./contender.mjs').Job} Job */
/** @typedef {import('./contender.mjs').Answer} Answer */
/** @typedef {import('./contender.mjs').Question} Question */
/** @typedef {(question: Question) => Promise<Answer>} Responder */

process.once('disconnect', () => process.exit());

/** @type {Promise<Responder> | null} */
let opened = null;
process.on('message', async (/** @type {Question} */ question) => {
  process.send?.(await answerTo(question).catch((error) => ({ error: String(error?.stack) })));
});

/** @param {Question} question */
async function answerTo(question) {
  opened ??= responderOf(JSON.parse(process.argv[2] ?? ''));
  const respond = await opened;
  return respond(question);
}

/**
 * @param {Job} job
 * @returns {Promise<Responder>}
 */
async function responderOf({ part, way, nodes, count, prefix, size }) {
  const { open, values } = (await import(part)).ways[way];
  const batches = batchesOf(pairsOf(count, prefix), size);
  const send = await open(nodes);
  const work = () => inBatches(batches, send);
  return async (question) => {
    if (question === 'open') return {};
    const begin = performance.now();
    const results = await work();
    if (question === 'try') return { values: values?.(results) };
    return { milliseconds: performance.now() - begin };
  };
}
