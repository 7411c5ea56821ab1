import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * The command that runs all test files below a directory; Node.js 20 takes no patterns.
 * @param {string} dir
 * @param {...string} options
 * @returns {[string, ...string[]]}
 */
export function nodeTest(dir, ...options) {
  const files = readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts')).sort();
  const paths = tests.map((file) => `${dir}/${file}`);
  return ['node', '--import', 'tsx', '--test', '--test-reporter=spec', ...options, ...paths];
}
