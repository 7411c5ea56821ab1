import { rmSync } from 'node:fs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Running servers and their directories: none of them may outlive this process. */
const running = new Map();
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
let watching = false;

/**
 * From now on the server is killed and its directory removed however this process ends.
 * @param {ChildProcess} child
 * @param {string} dir
 */
export function adopt(child, dir) {
  watch();
  running.set(child, dir);
}

/**
 * Ends a server and, unless its directory is kept for a restart, removes what it wrote.
 * @param {ChildProcess} child
 * @param {{ signal?: NodeJS.Signals, keepDir?: boolean }} [options]
 */
export async function end(child, { signal = 'SIGKILL', keepDir = false } = {}) {
  if (child.pid !== undefined && !hasExited(child)) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }
  if (keepDir) return;
  const dir = running.get(child);
  running.delete(child);
  if (dir) rmSync(dir, { recursive: true, force: true });
}

/** @param {ChildProcess} child */
export function hasExited(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

function watch() {
  if (watching) return;
  watching = true;
  process.on('exit', endAllNow);
  for (const signal of signals) process.once(signal, () => endOnSignal(signal));
}

// A signal skips the 'exit' event, so it is raised again after the servers are gone, unless
// somebody else listens and decides how this process ends.
/** @param {NodeJS.Signals} signal */
function endOnSignal(signal) {
  endAllNow();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function endAllNow() {
  for (const [child, dir] of running) {
    if (!hasExited(child)) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
  running.clear();
}
