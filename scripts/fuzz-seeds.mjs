import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const CORPUS = join(root, 'tests', 'corpus');
const TOPOLOGIES = join(CORPUS, 'topologies');

const MOST_ROWS = 1000;

/**
 * Which recorded texts are of a target's form.
 * @type {Record<string, RegExp>}
 */
const FORMS = {
  slots: /^slots.*\.json$/,
  shards: /^shards.*\.json$/,
  nodes: /^nodes\.txt$/,
  text: /./,
};

/**
 * Writes what a target starts from, one file per input, and gives the directory: keys, patterns and
 * replies that tests/corpus records, and the inputs of fuzz/seeds.
 * @param {string} target
 */
export function writeSeeds(target) {
  const dir = join('target', 'fuzz', 'seeds', target);
  const path = join(root, dir);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const [index, seed] of recorded(target).entries()) {
    writeFileSync(join(path, `recorded-${index}`), seed);
  }
  const own = join(root, 'fuzz', 'seeds', target);
  if (existsSync(own)) cpSync(own, path, { recursive: true });
  return dir;
}

/**
 * @param {string} target
 * @returns {Uint8Array[]}
 */
function recorded(target) {
  if (target === 'key') return rows('keys').map((row) => bytes(row.key, row.hex));
  if (target === 'pattern') return rows('patterns').map((row) => bytes(row.pattern, row.hex));
  const form = FORMS[target];
  if (!form) return [];
  const entries = readdirSync(TOPOLOGIES, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && form.test(entry.name));
  return files.map((file) => readFileSync(join(file.parentPath, file.name)));
}

/**
 * Some of the recorded rows, because reading thousands of files would take the time of fuzzing.
 * @param {'keys' | 'patterns'} list
 * @returns {{ key?: string, pattern?: string, hex?: string }[]}
 */
function rows(list) {
  const all = JSON.parse(readFileSync(join(CORPUS, `${list}.json`), 'utf8'))[list];
  const step = Math.ceil(all.length / MOST_ROWS);
  return all.filter((/** @type {unknown} */ _, /** @type {number} */ at) => at % step === 0);
}

/**
 * @param {string | undefined} text
 * @param {string | undefined} hex
 */
function bytes(text, hex = '') {
  return text === undefined ? Buffer.from(hex, 'hex') : Buffer.from(text);
}
