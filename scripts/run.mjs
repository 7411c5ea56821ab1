import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure that is told to the user as it is, without a stack. */
export class Failure extends Error {}

/**
 * Runs a command to its end and gives what it printed on standard output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function capture(command, args, { cwd = root, env = process.env } = {}) {
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.error) throw new Failure(`${command}: ${result.error.message}`);
  if (result.status === 0) return result.stdout.trim();
  const said = (result.stderr || result.stdout).trim().split('\n').slice(-3).join(' | ');
  throw new Failure(`${command} ${args[0] ?? ''}: ${said || `exit code ${result.status}`}`);
}

/**
 * Runs a command that prints straight to our output.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<void>}
 */
export function show(command, args) {
  const plain = process.stdout.isTTY ? {} : { NO_COLOR: '1', TERM: 'dumb' };
  const env = { ...process.env, ...plain };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Failure(`${command} ${args[0] ?? ''}: ${signal ?? `exit code ${code}`}`));
    });
  });
}

/**
 * The path of a program on PATH, or null.
 * @param {string} name
 */
export function onPath(name) {
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    if (dir && isProgram(join(dir, name))) return join(dir, name);
  }
  return null;
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a module was started by name, instead of imported.
 * @param {string} url import.meta.url of the module
 */
export function isMain(url) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

/**
 * Runs the main function of a script and turns what it throws into an exit code.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  }
}
