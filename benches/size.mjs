/** What the main entry weighs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { keySlot } from 'redslot-wasm';
import { inWords, verdict } from './support/section.mjs';

/** As in the test of tests/unit/loading.test.ts. */
const BUDGET = 90_000;

export async function* run() {
  const entry = createRequire(import.meta.url).resolve('redslot-wasm');
  const plain = readFileSync(entry);
  const { length } = gzipSync(plain, { level: 9 });
  if (keySlot('foo') !== 12182) throw new Error('the main entry does not work');
  yield {
    title: 'Size of the main entry',
    note: 'The CommonJS file with the WebAssembly module inside it, compressed with gzip -9.',
    checked: 'that this one file computes a slot',
    heading: ['file', 'bytes', 'compressed', 'target', 'reached'],
    rows: [
      [
        'dist/cjs/index.js',
        inWords(plain.length),
        inWords(length),
        `under ${inWords(BUDGET)}`,
        verdict(length < BUDGET),
      ],
    ],
  };
}
