import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeSeeds } from './fuzz-seeds.mjs';
import { runQuietly, watch } from './progress.mjs';
import { Failure, isMain, root, runMain } from './run.mjs';
import { setup, setupFuzzer } from './setup.mjs';
import { table } from './table.mjs';

const HELP = `npm run fuzz -- [TARGET...] [SECONDS]

Fuzzes the Rust core with libFuzzer.

  TARGET    only these targets, one after another
  SECONDS   how long each of them runs, 5 unless given

The targets:`;

const SECONDS = 5;

// The address sanitizer needs a nightly compiler, and the core holds no unsafe block that it could
// watch. Coverage, overflow checks and assertions work with any compiler.
const BUILD = ['--sanitizer', 'none', '--target-dir', 'target/fuzz'];

// An input of some kilobytes takes microseconds, so one that takes seconds found what is not linear.
const LIMITS = ['-timeout=10', '-rss_limit_mb=1024'];

/** @returns {string[]} */
function allTargets() {
  const files = readdirSync(join(root, 'fuzz', 'fuzz_targets'));
  return files.map((file) => file.replace(/\.rs$/, '')).sort();
}

/** @param {string[]} args */
function choose(args) {
  const known = allTargets();
  const numbers = args.filter((arg) => /^[1-9]\d*$/.test(arg));
  const targets = args.filter((arg) => !numbers.includes(arg));
  if (numbers.length > 1 || targets.some((target) => !known.includes(target))) {
    throw new Failure(`${HELP} ${known.join(', ')}`);
  }
  return {
    targets: targets.length > 0 ? targets : known,
    seconds: Number(numbers[0] ?? SECONDS),
  };
}

/**
 * Runs one target on what earlier runs kept and on its seeds.
 * @param {string} target
 * @param {number} seconds
 */
async function fuzz(target, seconds) {
  const kept = join('target', 'fuzz', 'corpus', target);
  mkdirSync(join(root, kept), { recursive: true });
  const dirs = [kept, writeSeeds(target)];
  const flags = [`-max_total_time=${seconds}`, ...LIMITS];
  const command = ['fuzz', 'run', ...BUILD, target, ...dirs, '--', ...flags];
  const { code, lines } = await watch('cargo', command);
  const runs = /^Done (\d+) runs/m.exec(lines.join('\n'))?.[1];
  if (code === 0 && runs !== undefined) return [target, 'passed', Number(runs)];
  // Frames of a stack without symbols say nothing.
  const telling = lines.filter((line) => !/^\s+#\d+ /.test(line));
  console.error(`\n${target}:\n${telling.join('\n')}`);
  return [target, 'FAILED', 0];
}

async function main() {
  const { targets, seconds } = choose(process.argv.slice(2));
  await setup();
  await setupFuzzer();
  await runQuietly('cargo', ['fuzz', 'build', ...BUILD]);
  const rows = [];
  for (const target of targets) rows.push(await fuzz(target, seconds));
  console.log(table(['target', 'result', 'runs'], rows, ''));
  if (rows.some((row) => row[1] !== 'passed')) process.exitCode = 1;
}

if (isMain(import.meta.url)) await runMain(main);
