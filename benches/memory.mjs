/** How much memory a load of any length takes. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { flush } from './support/contents.mjs';
import { loadKey, loadValue } from './support/load-pairs.mjs';
import { inWords, number, verdict } from './support/section.mjs';
import { spreadOf } from './support/spread.mjs';
import { onCluster } from './support/stage.mjs';

/** Megabytes. */
const TARGET = 150;
const RUNS = 3;
/** How many values are read back. */
const SAMPLE = 200;

/** @typedef {import('./support/stage.mjs').TestCluster} TestCluster */
/** @typedef {Extract<import('./support/load-child.mjs').Report, { peak: number }>} Result */

/** @param {import('./support/scale.mjs').Scale} scale */
export async function* run(scale) {
  const count = scale.size(5_000_000, 5000);
  /** @type {Result[]} */
  const results = [];
  for await (const result of onCluster((servers) => loads(count, servers, scale))) {
    results.push(result);
  }
  const { median, low, high } = spreadOf(results.map(({ peak, idle }) => megabytes(peak - idle)));
  const idle = spreadOf(results.map((result) => megabytes(result.idle))).median;
  const seconds = spreadOf(results.map(({ milliseconds }) => milliseconds / 1000)).median;
  yield {
    title: `Memory of load, ${inWords(count)} pairs`,
    note:
      `${results.length} runs, each in a process of its own, from a generator; keys of 30 bytes, ` +
      'values of 100. Idle is what is resident after connecting and a load of 10,000 pairs; the peak ' +
      'is the highest of samples every 20 ms. Megabytes of 1,000,000 bytes.',
    checked: `the number of keys on the servers, and the values of ${SAMPLE} of them`,
    heading: ['work', 'seconds', 'idle', 'peak above idle', 'quartiles', 'target', 'reached'],
    rows: [
      [
        'redslot load',
        number(seconds),
        `${number(idle)} MB`,
        `${number(median)} MB`,
        `${number(low)} to ${number(high)}`,
        `under ${TARGET} MB`,
        verdict(median < TARGET),
      ],
    ],
  };
}

/**
 * @param {number} count
 * @param {TestCluster} servers
 * @param {import('./support/scale.mjs').Scale} scale
 * @returns {AsyncGenerator<Result>}
 */
async function* loads(count, servers, scale) {
  for (let round = 1; round <= scale.rounds(RUNS); round++) {
    await flush(servers);
    const result = await loadInChild(count, servers.startupNodes, (written) =>
      scale.tell(`load ${round}: ${inWords(written)} of ${inWords(count)} pairs`),
    );
    assert.deepEqual([result.written, result.failed], [count, 0]);
    await check(servers, count);
    yield result;
  }
}

/**
 * @param {number} count
 * @param {{ host: string, port: number }[]} nodes
 * @param {(written: number) => void} tell
 * @returns {Promise<Result>}
 */
async function loadInChild(count, nodes, tell) {
  const path = fileURLToPath(new URL('support/load-child.mjs', import.meta.url));
  const child = fork(path, [String(count), JSON.stringify(nodes)]);
  /** @type {Result | null} */
  let result = null;
  child.on('message', (/** @type {import('./support/load-child.mjs').Report} */ report) => {
    if ('peak' in report) result = report;
    else tell(report.written);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || result === null) throw new Error(`the load ended with ${code}`);
  return result;
}

/**
 * @param {TestCluster} servers
 * @param {number} count
 */
async function check(servers, count) {
  const sizes = await Promise.all(servers.primaries.map((node) => node.ask('DBSIZE')));
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    count,
  );
  const step = Math.ceil(count / SAMPLE);
  for (let at = 0; at < count; at += step) {
    const values = await Promise.allSettled(
      servers.primaries.map((node) => node.ask('GET', loadKey(at))),
    );
    // The other two answer MOVED.
    const found = values.flatMap((told) => (told.status === 'fulfilled' ? [told.value] : []));
    assert.deepEqual(found, [loadValue(at)]);
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return bytes / 1e6;
}
