import { spawn } from 'node:child_process';
import { Failure, root } from './run.mjs';

const KEPT_LINES = 25;

/**
 * Runs a long command as {@link watch} does; a failure tells the end of the output.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extraEnv]
 */
export async function runQuietly(command, args, extraEnv) {
  const { code, lines } = await watch(command, args, extraEnv);
  if (code === 0) return;
  const end = lines.slice(-KEPT_LINES).join('\n');
  throw new Failure(`${[command, ...args].join(' ')} failed:\n${end}`);
}

/**
 * Runs a long command without its output, of which it gives the lines that are not blank; a terminal
 * sees the time and the last line meanwhile.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extraEnv]
 * @returns {Promise<{ code: number | null, lines: string[] }>}
 */
export function watch(command, args, extraEnv) {
  const env = { ...process.env, ...extraEnv };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = collect(child);
    const stopTicking = tick(() => lines.at(-1) ?? '');
    child.once('error', (error) => {
      stopTicking();
      reject(new Failure(`${command}: ${error.message}`));
    });
    child.once('close', (code) => {
      stopTicking();
      resolve({ code, lines });
    });
  });
}

/**
 * The lines that a command printed, kept up to date.
 * @param {import('node:child_process').ChildProcess} child
 */
function collect(child) {
  /** @type {string[]} */
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\n')) if (line.trim()) lines.push(line.trimEnd());
    });
  }
  return lines;
}

/**
 * Rewrites one line of the terminal every second until the returned function is called.
 * @param {() => string} status
 */
function tick(status) {
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
