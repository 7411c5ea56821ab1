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
  if (target === 'key') return rows('keys.json').map((row) => bytes(row.key, row.hex));
  if (target === 'pattern') return rows('patterns.json').map((row) => bytes(row.pattern, row.hex));
  const form = FORMS[target];
  if (!form) return [];
  return readdirSync(TOPOLOGIES).flatMap((scenario) => {
    const names = readdirSync(join(TOPOLOGIES, scenario)).filter((name) => form.test(name));
    return names.map((name) => readFileSync(join(TOPOLOGIES, scenario, name)));
  });
}

/**
 * @param {string} name
 * @returns {{ key?: string, pattern?: string, hex?: string }[]}
 */
function rows(name) {
  return JSON.parse(readFileSync(join(CORPUS, name), 'utf8'));
}

/**
 * @param {string | undefined} text
 * @param {string | undefined} hex
 */
function bytes(text, hex = '') {
  return text === undefined ? Buffer.from(hex, 'hex') : Buffer.from(text);
}
