import { runQuietly } from './progress.mjs';
import { Failure, isMain, isProgram, onPath, runMain } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The Chromium that the tests of the playground drive: `$CHROMIUM`, else one on PATH, else null.
 * @returns {string | null}
 */
export function findChromium() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) {
    if (isProgram(CHROMIUM)) return CHROMIUM;
    throw new Failure(`CHROMIUM is ${CHROMIUM}, which is no program.`);
  }
  for (const name of NAMES) {
    const path = onPath(name);
    if (path) return path;
  }
  return isProgram(MAC) ? MAC : null;
}

/** The same, or a failure that says what to do. */
export function needChromium() {
  const found = findChromium();
  if (found) return found;
  throw new Failure(
    'The tests of the playground need Chromium or Chrome, and there is none on PATH. ' +
      'Install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to its path.',
  );
}

/** Installs Debian's Chromium, and a font with Korean for what it shows. */
export async function installChromium() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['chromium', 'fonts-noto-cjk'];
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  try {
    await runQuietly('apt-get', install, env);
  } catch {
    // The lists of packages may be missing or out of date.
    await runQuietly('apt-get', ['update'], env);
    await runQuietly('apt-get', install, env);
  }
}

/** Installs Chromium where there is none and this process may. */
async function main() {
  if (findChromium() === null && process.getuid?.() === 0 && onPath('apt-get')) {
    await installChromium();
  }
  console.log(needChromium());
}

if (isMain(import.meta.url)) await runMain(main);
