import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prepare } from '../tests/packaging/support/prepare.mjs';
import { build } from './build.mjs';
import { installChromium } from './chromium.mjs';
import { COUNTED, countTests } from './counted-tests.mjs';
import { Failure, isMain, runMain } from './run.mjs';
import { setup } from './setup.mjs';
import { table } from './table.mjs';
import { testNames } from './test-files.mjs';

const DIR = 'tests/packaging';

/**
 * Installs the packed package into scratch projects outside of this repository and runs the tests of
 * each, or of those named as arguments. `--keep` leaves the projects; a later run with
 * $REDSLOT_PACKAGING, the directory it printed, uses them as they are.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: { keep: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const names = choose(positionals);
  await setup();
  if (names.includes('browser')) await installChromium();
  await build();
  const given = process.env.REDSLOT_PACKAGING;
  const dir = given ?? (await install());
  try {
    await runAll(names, dir);
  } finally {
    if (given === undefined && !values.keep) rmSync(dir, { recursive: true, force: true });
  }
  if (values.keep) console.log(`\nREDSLOT_PACKAGING=${dir}`);
}

/** @param {string[]} chosen */
function choose(chosen) {
  // Those further below belong to the projects.
  const names = testNames(DIR).filter((name) => !name.includes('/'));
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown === undefined) return chosen.length > 0 ? chosen : names;
  throw new Failure(`There is no test called ${unknown}. The tests are: ${names.join(', ')}.`);
}

async function install() {
  const started = Date.now();
  console.log('installing the packed package and the tools of the projects, half a minute');
  const dir = await prepare();
  console.log(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
  return dir;
}

/**
 * @param {string[]} names
 * @param {string} dir
 */
async function runAll(names, dir) {
  /** @type {(string | number)[][]} */
  const rows = [];
  for (const name of names) {
    console.log(`\n== ${name}`);
    rows.push([name, ...(await countTests(DIR, [name], { REDSLOT_PACKAGING: dir }))]);
  }
  console.log(`\n${table(['project', ...COUNTED], rows, '')}`);
  if (rows.some((row) => row[2] !== 0)) process.exitCode = 1;
}

if (isMain(import.meta.url)) await runMain(main);
