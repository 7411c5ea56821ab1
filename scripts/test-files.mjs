import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const ENDING = '.test.ts';

/**
 * The names of all test files below a directory, without their ending.
 * @param {string} dir
 */
export function testNames(dir) {
  const files = readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith(ENDING)).sort();
  return tests.map((file) => file.slice(0, -ENDING.length));
}

/**
 * The command that runs all test files below a directory; Node.js 20 takes no patterns.
 * @param {string} dir
 * @param {...string} options
 */
export function nodeTest(dir, ...options) {
  return nodeTestOf(dir, testNames(dir), ...options);
}

/**
 * The command that runs the named test files of a directory.
 * @param {string} dir
 * @param {string[]} names
 * @param {...string} options
 * @returns {[string, ...string[]]}
 */
export function nodeTestOf(dir, names, ...options) {
  const paths = names.map((name) => `${dir}/${name}${ENDING}`);
  return ['node', '--import', 'tsx', '--test', '--test-reporter=spec', ...options, ...paths];
}
