import { installChromium } from './chromium.mjs';
import { Failure, isMain, runMain, show } from './run.mjs';
import { setup } from './setup.mjs';
import { table } from './table.mjs';
import { nodeTest } from './test-files.mjs';
import { WASM_TARGET } from './toolchain.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string[]} command
 * @property {boolean} [needsBuild] works on the built package
 * @property {boolean} [needsChromium]
 */

const STRICT = ['--', '-D', 'warnings'];
const FUZZ = ['--manifest-path', 'fuzz/Cargo.toml'];
// In a CI run biome paints even what goes to a file.
const PLAIN = process.stdout.isTTY ? [] : ['--colors=off'];

/** @returns {Check[]} */
function allChecks() {
  return [
    { name: 'fmt', command: ['cargo', 'fmt', '--check'] },
    { name: 'fmt-fuzz', command: ['cargo', 'fmt', '--check', ...FUZZ] },
    { name: 'clippy', command: ['cargo', 'clippy', '--all-targets', ...STRICT] },
    {
      name: 'clippy-fuzz',
      command: ['cargo', 'clippy', ...FUZZ, '--target-dir', 'target/fuzz', ...STRICT],
    },
    {
      name: 'clippy-wasm',
      command: ['cargo', 'clippy', '--all-targets', '--target', WASM_TARGET, ...STRICT],
    },
    { name: 'rust', command: ['cargo', 'test'] },
    { name: 'fuzz', command: ['node', 'scripts/fuzz.mjs'] },
    { name: 'wasm', command: ['wasm-pack', 'test', '--node'] },
    { name: 'build', command: ['node', 'scripts/build.mjs'] },
    { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', ...PLAIN, '.'] },
    { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], needsBuild: true },
    // As for a user without the library `dom`, and with the declarations themselves checked.
    { name: 'types-user', command: ['tsc', '-p', 'tests/types'], needsBuild: true },
    {
      name: 'types-www',
      command: ['tsc', '--noEmit', '-p', 'www/tsconfig.json'],
      needsBuild: true,
    },
    { name: 'api', command: ['node', 'scripts/api.mjs'], needsBuild: true },
    { name: 'unit', command: nodeTest('tests/unit'), needsBuild: true },
    {
      name: 'unit-js',
      command: nodeTest('tests/unit', '--import', './tests/unit/support/translated.mjs'),
      needsBuild: true,
    },
    { name: 'command-line', command: nodeTest('tests/command-line'), needsBuild: true },
    // One file at a time: each starts a browser, and one of them measures it.
    {
      name: 'browser',
      command: nodeTest('tests/browser', '--test-concurrency=1'),
      needsBuild: true,
      needsChromium: true,
    },
    // One file at a time: each starts servers of its own, and failovers depend on time.
    {
      name: 'cluster',
      command: nodeTest('tests/cluster', '--test-concurrency=1'),
      needsBuild: true,
    },
    {
      name: 'recipes',
      command: nodeTest('tests/recipes', '--test-concurrency=1'),
      needsBuild: true,
    },
  ];
}

/**
 * @param {string[]} names
 * @returns {Check[]}
 */
function choose(names) {
  const checks = allChecks();
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) {
    const known = checks.map((check) => check.name).join(', ');
    throw new Failure(`There is no check called ${unknown}. The checks are: ${known}.`);
  }
  if (names.length === 0) return checks;
  const chosen = checks.filter((check) => names.includes(check.name));
  const build = chosen.some((check) => check.needsBuild);
  return checks.filter((check) => chosen.includes(check) || (build && check.name === 'build'));
}

/**
 * Runs every check, whatever failed before, and gives a row of the summary for each.
 * @param {Check[]} checks
 */
async function runAll(checks) {
  /** @type {Map<string, string>} */
  const results = new Map();
  const rows = [];
  for (const { name, command, needsBuild } of checks) {
    const started = Date.now();
    const skip = needsBuild && results.get('build') === 'FAILED';
    if (!skip) console.log(`\n== ${name}: ${briefly(command)}`);
    const result = skip ? 'not run: the build failed' : await run(command);
    results.set(name, result);
    rows.push([name, result, ((Date.now() - started) / 1000).toFixed(1).padStart(7)]);
  }
  return rows;
}

/** @param {string[]} command */
async function run([program = '', ...args]) {
  try {
    await show(program, args);
    return 'passed';
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 'FAILED';
  }
}

/** @param {string[]} command */
function briefly(command) {
  const files = command.filter((word) => word.endsWith('.test.ts'));
  const rest = command.filter((word) => !files.includes(word)).join(' ');
  return files.length > 0 ? `${rest} (${files.length} files)` : rest;
}

async function main() {
  const checks = choose(process.argv.slice(2));
  await setup();
  if (checks.some((check) => check.needsChromium)) await installChromium();
  const rows = await runAll(checks);
  console.log(`\n${table(['check', 'result', 'seconds'], rows, '')}`);
  const bad = rows.filter((row) => row[1] !== 'passed').length;
  console.log(`\n${rows.length - bad} of ${rows.length} checks passed.`);
  if (bad > 0) process.exitCode = 1;
}

if (isMain(import.meta.url)) await runMain(main);
