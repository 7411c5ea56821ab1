import { parseArgs } from 'node:util';
import { COUNTED, countTests } from './counted-tests.mjs';
import { Failure, isMain, runMain } from './run.mjs';
import { describeServer } from './server.mjs';
import { catalogue } from './server-catalogue.mjs';
import { fetchServer } from './server-fetch.mjs';
import { setup } from './setup.mjs';
import { table } from './table.mjs';
import { testNames } from './test-files.mjs';

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
  console.log(`\n${table(['server', 'version', ...COUNTED], rows, '')}`);
  if (rows.some((row) => row[3] !== 0)) process.exitCode = 1;
}

/**
 * @param {string} name
 * @param {string[]} suites
 */
async function tryOn(name, suites) {
  const { path, version } = describeServer(fetchServer(name));
  console.log(`\n== ${name}: ${version}`);
  return [name, version, ...(await countTests(DIR, suites, { REDIS_SERVER: path }))];
}

if (isMain(import.meta.url)) await runMain(main);
