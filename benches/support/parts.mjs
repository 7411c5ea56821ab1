import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { rewrite } from '../../scripts/progress.mjs';
import { Failure, root } from '../../scripts/run.mjs';
import { table } from '../../scripts/table.mjs';
import { writeResults } from './results.mjs';

/** @typedef {import('./section.mjs').Section} Section */

/** In the order of the report; each is a file of benches/. */
export const PARTS = [
  'hashing',
  'partition',
  'topology',
  'pipeline',
  'multi-key',
  'bookkeeping',
  'memory',
  'size',
  'growth',
];

/**
 * Runs the parts one after the other, prints what each found, and writes the report when all were
 * run in full.
 * @param {string[]} chosen
 * @param {{ quick: boolean }} options
 */
export async function runParts(chosen, { quick }) {
  const begin = Date.now();
  /** @type {Section[]} */
  const sections = [];
  for (const part of chosen) sections.push(...(await runPart(part, quick)));
  const minutes = ((Date.now() - begin) / 60_000).toFixed(1);
  if (quick || chosen.length < PARTS.length) {
    console.log('\nbenches/RESULTS.md is left as it is: only a full run of all parts writes it.');
  } else {
    writeResults(sections, minutes);
    console.log(`\nWritten to benches/RESULTS.md after ${minutes} minutes.`);
  }
}

/**
 * @param {string} part
 * @param {boolean} quick
 */
async function runPart(part, quick) {
  console.log(`\n== ${part}`);
  const child = fork(join(root, 'benches', 'support', 'part.mjs'), [
    part,
    quick ? 'quick' : 'full',
  ]);
  /** @type {Section[]} */
  const sections = [];
  let failure = '';
  child.on('message', (/** @type {import('./part.mjs').Message} */ message) => {
    if ('error' in message) failure = message.error;
    else if ('progress' in message) showProgress(message.progress);
    else {
      sections.push(message.section);
      showSection(message.section);
    }
  });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Failure(`${part}: ${failure || signal || `exit code ${code}`}`);
  return sections;
}

/** @param {string} text */
function showProgress(text) {
  if (process.stdout.isTTY) rewrite(`  ${text}`);
  else console.log(`  ${text}`);
}

/** @param {Section} section */
function showSection({ title, note, checked, heading, rows }) {
  if (process.stdout.isTTY) rewrite('');
  console.log(`\n${title}\n  ${note}\n  Compared first: ${checked}.\n`);
  console.log(table(heading, rows));
}
