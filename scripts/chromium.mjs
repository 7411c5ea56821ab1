import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runQuietly } from './progress.mjs';
import { Failure, isProgram, onPath } from './run.mjs';

/** Asked for when it is needed, as set-up may have to install it first. */
const playwright = createRequire(import.meta.url);

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The Chromium that the tests in a browser drive: `$CHROMIUM`, else one on PATH, else the one
 * that Playwright keeps in its cache, else null.
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
  return [MAC, playwright('playwright-core').chromium.executablePath()].find(isProgram) ?? null;
}

/** The same, or a failure that says what to do. */
export function needChromium() {
  const found = findChromium();
  if (found) return found;
  throw new Failure(
    'The tests in a browser need Chromium or Chrome, and there is none on PATH. ' +
      'Install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to its path.',
  );
}

/**
 * Installs Chromium where there is none: Debian's package as root, else Playwright's own. Where
 * neither can be had, the tests that need it say so.
 */
export async function installChromium() {
  if (findChromium() !== null) return;
  const isDebian = process.getuid?.() === 0 && onPath('apt-get') !== null;
  const what = isDebian ? "Debian's package, half a minute" : "Playwright's own, about a minute";
  console.log(`set-up: Chromium: for the tests in a browser; ${what}`);
  try {
    await (isDebian ? installDebian() : installPlaywright());
  } catch (error) {
    console.error(`set-up: Chromium could not be installed: ${error}`);
  }
}

/** Debian's Chromium, and a font with Korean for what it shows. */
async function installDebian() {
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

function installPlaywright() {
  const cli = join(dirname(playwright.resolve('playwright-core/package.json')), 'cli.js');
  return runQuietly(process.execPath, [cli, 'install', '--no-shell', 'chromium']);
}
