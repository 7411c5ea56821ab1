import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Failure, isMain, root, runMain } from './run.mjs';
import { describeServer } from './server.mjs';
import { catalogue } from './server-catalogue.mjs';
import { fetchServer } from './server-fetch.mjs';
import { setup } from './setup.mjs';
import { table } from './table.mjs';
import { nodeTestOf, testNames } from './test-files.mjs';

const DIR = 'tests/cluster';
/** What differs between servers: slots, patterns, topologies, and how a batch is answered. */
const SUITES = [
  'keyslot',
  'patterns',
  'topologies',
  'shapes',
  'pipeline',
  'multi-key',
  'redirects',
];

/**
 * Runs the suites above, or with `--all` every cluster test, on each server of the catalogue, or on
 * those named as arguments, and ends with a table of what passed where.
 */
async function main() {
  const { values, positionals: names } = parseArgs({
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const suites = values.all ? testNames(DIR) : SUITES;
  const unknown = names.find((name) => !catalogue[name]);
  if (unknown) {
    const known = Object.keys(catalogue).join(', ');
    throw new Failure(`There is no server called ${unknown}. The servers are: ${known}.`);
  }
  await setup();
  const { build } = await import('./build.mjs');
  await build();
  const rows = [];
  for (const name of names.length > 0 ? names : Object.keys(catalogue))
    rows.push(await tryOn(name, suites));
  console.log(
    `\n${table(['server', 'version', 'passed', 'failed', 'skipped', 'seconds'], rows, '')}`,
  );
  if (rows.some((row) => row[3] !== 0)) process.exitCode = 1;
}

/**
 * @param {string} name
 * @param {string[]} suites
 */
async function tryOn(name, suites) {
  const { path, version } = describeServer(fetchServer(name));
  console.log(`\n== ${name}: ${version}`);
  const started = Date.now();
  const output = await run(path, suites);
  const count = (/** @type {string} */ what) =>
    Number(new RegExp(`^ℹ ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  // A run that ended without counting has failed as a whole.
  const counted = count('tests') > 0;
  const seconds = Math.round((Date.now() - started) / 1000);
  return [name, version, count('pass'), counted ? failed : 1, count('skipped'), seconds];
}

/**
 * Runs tests on one server; shows and gives what they print.
 * @param {string} server
 * @param {string[]} suites
 * @returns {Promise<string>}
 */
function run(server, suites) {
  const [program, ...args] = nodeTestOf(DIR, suites, '--test-concurrency=1');
  const env = { ...process.env, REDIS_SERVER: server };
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

if (isMain(import.meta.url)) await runMain(main);
