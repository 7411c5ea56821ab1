import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runQuietly } from '../../../scripts/progress.mjs';
import { capture, root } from '../../../scripts/run.mjs';

const HERE = join(root, 'tests', 'packaging');

/**
 * Makes a directory with {@link fill}ed projects, which the caller removes.
 * @returns {Promise<string>}
 */
export async function prepare() {
  const dir = mkdtempSync(join(tmpdir(), 'redslot-packaging-'));
  try {
    await fill(dir);
    return dir;
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Copies the scratch projects out of this repository, installs their tools as the lock file names
 * them, and the packed tarball of the built package into each, so that it finds its peers beside it.
 * @param {string} dir
 */
async function fill(dir) {
  for (const name of ['package.json', 'package-lock.json', 'projects'])
    cpSync(join(HERE, name), join(dir, name), { recursive: true });
  await runQuietly('npm', [
    ...['ci', '--prefix', dir],
    ...['--ignore-scripts', '--no-audit', '--no-fund'],
  ]);
  const tarball = pack(dir);
  for (const name of readdirSync(join(dir, 'projects'))) {
    const target = join(dir, 'projects', name, 'node_modules', 'redslot-wasm');
    mkdirSync(target, { recursive: true });
    capture('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  }
}

/**
 * Packs the built package as `npm publish` would.
 * @param {string} dir
 */
function pack(dir) {
  const told = capture('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir]);
  const [{ filename }] = JSON.parse(told);
  return join(dir, filename);
}
