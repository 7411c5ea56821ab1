import { parseArgs } from 'node:util';
import { Failure, isMain, runMain } from './run.mjs';
import { setup } from './setup.mjs';

const HELP = `npm run demo -- [--keys N] [--keep]

Sets up what is missing, builds the package, starts a Redis Cluster of three primaries on free
ports of 127.0.0.1, and writes and reads back keys of all three in single pipelines.

  --keys N   how many keys the large batch has (10000)
  --keep     leave the cluster running for the examples until Ctrl-C

REDIS_SERVER=/path/to/redis-server chooses the server.`;

/** @returns {{ keys: number, keep: boolean } | null} null when help is wanted */
function readOptions() {
  const { keys, keep, help } = parse();
  if (help) return null;
  return { keys: positive('--keys', keys), keep };
}

function parse() {
  try {
    const keys = /** @type {const} */ ({ type: 'string', default: '10000' });
    const keep = /** @type {const} */ ({ type: 'boolean', default: false });
    const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
    return parseArgs({ options: { keys, keep, help } }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function positive(name, text) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Failure(`${name} must be a whole number above zero, not ${text}`);
}

/** Imported only after set-up and build, because what it imports does not exist before. */
async function main() {
  const options = readOptions();
  if (options === null) {
    console.log(HELP);
    return;
  }
  await setup();
  console.log('Building the package: about a minute the first time, later only what changed.');
  const { build } = await import('./build.mjs');
  await build();
  const { demonstrate } = await import('./demo/scenario.mjs');
  await demonstrate(options);
}

if (isMain(import.meta.url)) await runMain(main);
