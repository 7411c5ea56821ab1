import { join } from 'node:path';
import { isMain, root, runMain, show } from './run.mjs';
import { setup, setupApi } from './setup.mjs';

const home = join(root, 'www', 'api');

/**
 * Writes the API reference, made of the built declarations, beside the playground. A public name
 * without a description, and a link that leads nowhere, are errors.
 */
export async function buildApi() {
  await setupApi(home);
  await show('node', [join(home, 'node_modules', 'typedoc', 'bin', 'typedoc'), '--options', home]);
}

async function main() {
  await setup();
  const { build } = await import('./build.mjs');
  await build();
  await buildApi();
}

if (isMain(import.meta.url)) await runMain(main);
