import { Failure, isMain, runMain } from './run.mjs';
import { setup } from './setup.mjs';

const HELP = `npm run bench -- [--quick] [PART...]

Compares the package with others and writes benches/RESULTS.md.

  PART      only the parts whose names contain one of these; RESULTS.md stays as it is
  --quick   shows that all of it works, with little data and one round; the same

The parts:`;

/** Imported only after set-up and build, because what it imports does not exist before. */
async function main() {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const filters = args.filter((arg) => !arg.startsWith('-'));
  const { PARTS, runParts } = await import('../benches/support/parts.mjs');
  const unknown = options.find((option) => option !== '--quick');
  const chosen = PARTS.filter(
    (part) => filters.length === 0 || filters.some((f) => part.includes(f)),
  );
  if (unknown !== undefined || chosen.length === 0) {
    throw new Failure(`${HELP} ${PARTS.join(', ')}`);
  }
  await setup();
  const { build } = await import('./build.mjs');
  await build();
  await runParts(chosen, { quick: options.length > 0 });
}

if (isMain(import.meta.url)) await runMain(main);
