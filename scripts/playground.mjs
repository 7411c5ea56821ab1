import { join } from 'node:path';
import { buildApi } from './api.mjs';
import { isMain, root, runMain } from './run.mjs';
import { setup } from './setup.mjs';

const site = join(root, 'www');
const dist = join(site, 'dist');

/** Builds the static files of the playground. */
export async function buildSite(outDir = dist) {
  const { build } = await import('vite');
  await build({ root: site, logLevel: 'warn', build: { outDir } });
}

/**
 * Serves them on a free port of this machine only.
 *
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveSite(outDir = dist) {
  const { preview } = await import('vite');
  // Port 0 leaves the choice to the system.
  const options = { host: '127.0.0.1', port: 0, strictPort: true };
  const server = await preview({
    root: site,
    logLevel: 'warn',
    build: { outDir },
    preview: options,
  });
  const address = server.httpServer.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function main() {
  await setup();
  const { build } = await import('./build.mjs');
  await build();
  await buildSite();
  await buildApi();
  const { url, close } = await serveSite();
  console.log(`The slot playground: ${url}\nCtrl-C stops it.`);
  process.once('SIGINT', () => void close().then(() => process.exit()));
}

if (isMain(import.meta.url)) await runMain(main);
