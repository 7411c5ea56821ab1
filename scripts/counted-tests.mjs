import { spawn } from 'node:child_process';
import { root } from './run.mjs';
import { nodeTestOf } from './test-files.mjs';

/** The heading of rows with what {@link countTests} gives. */
export const COUNTED = ['passed', 'failed', 'skipped', 'seconds'];

/**
 * Runs the named test files of a directory, one after another, and shows what they print.
 * @param {string} dir
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} extraEnv
 * @returns {Promise<[passed: number, failed: number, skipped: number, seconds: number]>}
 */
export async function countTests(dir, names, extraEnv) {
  const started = Date.now();
  const output = await run(dir, names, extraEnv);
  const count = (/** @type {string} */ what) =>
    Number(new RegExp(`^ℹ ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  // A run that ended without counting has failed as a whole.
  const counted = count('tests') > 0;
  const seconds = Math.round((Date.now() - started) / 1000);
  return [count('pass'), counted ? failed : 1, count('skipped'), seconds];
}

/**
 * @param {string} dir
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} extraEnv
 * @returns {Promise<string>}
 */
function run(dir, names, extraEnv) {
  const [program, ...args] = nodeTestOf(dir, names, '--test-concurrency=1');
  const env = { ...process.env, ...extraEnv };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      output += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}
