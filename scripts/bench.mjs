import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMain, root, runMain } from './run.mjs';
import { setup } from './setup.mjs';

/**
 * Runs the benchmarks, one module of benches/ after the other. Each exports `run(filter)`, prints
 * its own tables, and leaves out the cases whose names do not contain the filter.
 */
async function main() {
  const filter = process.argv[2] ?? '';
  await setup();
  const { build } = await import('./build.mjs');
  await build();
  const dir = join(root, 'benches');
  for (const file of readdirSync(dir).sort()) {
    if (!file.endsWith('.mjs')) continue;
    const { run } = await import(pathToFileURL(join(dir, file)).href);
    // A file without `run` is a part of another.
    if (run) await run(filter);
  }
}

if (isMain(import.meta.url)) await runMain(main);
