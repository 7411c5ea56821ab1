import { spawn } from 'node:child_process';
import { Failure, root } from './run.mjs';

const KEPT_LINES = 25;

/**
 * Runs a long command without its output; a terminal sees the time and the last line meanwhile,
 * and a failure tells the end of the output.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extraEnv]
 * @returns {Promise<void>}
 */
export function runQuietly(command, args, extraEnv) {
  const env = { ...process.env, ...extraEnv };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = collect(child);
    const stopTicking = tick(() => output.at(-1) ?? '');
    child.once('error', (error) => {
      stopTicking();
      reject(new Failure(`${command}: ${error.message}`));
    });
    child.once('close', (code) => {
      stopTicking();
      if (code === 0) resolve();
      else reject(new Failure(`${[command, ...args].join(' ')} failed:\n${output.join('\n')}`));
    });
  });
}

/**
 * The last lines that a command printed, kept up to date.
 * @param {import('node:child_process').ChildProcess} child
 */
function collect(child) {
  /** @type {string[]} */
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\n')) if (line.trim()) lines.push(line.trimEnd());
      lines.splice(0, lines.length - KEPT_LINES);
    });
  }
  return lines;
}

/**
 * Rewrites one line of the terminal every second until the returned function is called.
 * @param {() => string} status
 */
export function tick(status) {
  if (!process.stdout.isTTY) return () => {};
  const started = Date.now();
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    rewrite(`  ${seconds} s  ${status().trim()}`);
  }, 1000);
  return () => {
    clearInterval(timer);
    rewrite('');
  };
}

/**
 * Puts a text in place of the current line of the terminal; the cursor stays on that line.
 * @param {string} text
 */
export function rewrite(text) {
  process.stdout.write(`\r\x1b[K${text.slice(0, (process.stdout.columns || 80) - 1)}`);
}
