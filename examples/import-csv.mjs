// Imports a CSV file of any size: each row becomes a hash with the names of the heading as fields,
// under `product:` and the value of the first column.
//
//   REDIS_CLUSTER=127.0.0.1:7000 node examples/import-csv.mjs [file.csv]
//
// Without a file it imports the one beside it. The format is simple CSV: a heading, one row per
// line, commas between fields, no quotes. For all else put a CSV parser in the place of `rows`;
// load() takes any iterable, async iterable or stream.
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Cluster } from 'ioredis';
import { LoadError, redslot } from 'redslot-wasm/ioredis';

/**
 * @typedef {import('redslot-wasm/ioredis').LoadItem} LoadItem
 * @typedef {import('redslot-wasm/ioredis').LoadProgress} LoadProgress
 * @typedef {import('redslot-wasm/ioredis').LoadSummary} LoadSummary
 */

const path = process.argv[2] ?? fileURLToPath(new URL('products.csv', import.meta.url));
const file = await open(path);
const { size } = await file.stat();
const input = file.createReadStream();

/**
 * One HSET per row, made as fast as load() asks for them.
 * @returns {AsyncGenerator<LoadItem>}
 */
async function* rows() {
  /** @type {string[] | null} */
  let heading = null;
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const fields = fieldsOf(text, line);
    heading ??= fields;
    if (fields.length !== heading.length) {
      throw new Error(`line ${line} has ${fields.length} fields, the heading ${heading.length}`);
    }
    if (line === 1) continue;
    yield ['hset', `product:${fields[0]}`, ...heading.flatMap((name, i) => [name, fields[i]])];
  }
}

/**
 * @param {string} text
 * @param {number} line
 */
function fieldsOf(text, line) {
  if (text.includes('"')) throw new Error(`line ${line} has quotes, which are not read here`);
  return text.split(',').map((field) => field.trim());
}

/** @type {(progress: LoadProgress) => void} */
const onProgress = process.stdout.isTTY ? drawBar : everyTenth();

/** @param {LoadProgress} progress */
function drawBar(progress) {
  const done = fraction(progress);
  const filled = '#'.repeat(Math.round(done * 30)).padEnd(30, '-');
  process.stdout.write(`\r\x1b[K[${filled}] ${described(progress)}`);
}

/** For logs and pipes, which would keep every picture of a bar. */
function everyTenth() {
  let told = 0;
  /** @param {LoadProgress} progress */
  return (progress) => {
    const tenths = Math.floor(fraction(progress) * 10);
    if (tenths <= told) return;
    told = tenths;
    console.log(described(progress));
  };
}

/** @param {LoadProgress} progress */
function described(progress) {
  const percent = Math.floor(fraction(progress) * 100);
  return `${percent} %, ${progress.written} rows, ${progress.rate} per second`;
}

/**
 * How much of the file is done: of the bytes read, the part whose rows are answered.
 * @param {LoadProgress} progress
 */
function fraction({ read, written, failed }) {
  if (read === 0) return 0;
  return (input.bytesRead / size) * ((written + failed) / read);
}

/** @param {LoadSummary} summary */
function report({ read, written, failed, seconds, nodes, failures }) {
  console.log(`${written} of ${read} rows written in ${seconds.toFixed(2)} s, ${failed} failed`);
  for (const [node, counts] of Object.entries(nodes)) console.log(`  ${node}: ${counts.written}`);
  for (const { position, key, error } of failures.slice(0, 10)) {
    // Position 0 is the line below the heading.
    console.error(`  line ${position + 2}, ${key}: ${error.message}`);
  }
  if (failed > 0) process.exitCode = 1;
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const cluster = new Cluster((process.env.REDIS_CLUSTER ?? '127.0.0.1:7000').split(','));
cluster.on('error', (error) => console.error(`Cluster: ${error.message}`));
try {
  const options = { commands: true, signal: stop.signal, onProgress };
  const summary = await redslot(cluster).load(rows(), options);
  if (process.stdout.isTTY) process.stdout.write('\n');
  report(summary);
} catch (error) {
  if (!(error instanceof LoadError)) throw error;
  // HSET of the same row twice is as good as once, so the file can be imported again from its
  // beginning.
  if (process.stdout.isTTY) process.stdout.write('\n');
  console.error(error.message);
  report(error.summary);
  process.exitCode = 1;
} finally {
  cluster.disconnect();
}
