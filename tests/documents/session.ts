import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { onPath } from '../../scripts/run.mjs';
import { freePort } from '../cluster/support/ports.mjs';
import { program } from '../command-line/support/program.ts';

/** A command of a block in the language `console`, and what it prints. */
export interface Exchange {
  readonly command: string;
  readonly printed: string;
}

/** The ports that such a block writes for those of the three primaries, in their order. */
const WRITTEN = ['7100', '7101', '7102'];

/**
 * The commands of a block, each behind a `$`, with the lines that follow it.
 * @param ports that take the place of the written ones
 */
export function exchangesOf(text: string, ports: readonly number[]): Exchange[] {
  const real = WRITTEN.reduce(
    (rest, port, at) =>
      rest.replaceAll(`:${port}`, `:${ports[at]}`).replaceAll(` ${port}`, ` ${ports[at]}`),
    text,
  );
  const parts = real.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [command = '', ...lines] = part.split('\n');
    return { command, printed: lines.join('\n') };
  });
}

/** A free port for each, in the order in which `sort` has them. */
export async function freePorts(): Promise<number[]> {
  const ports = await Promise.all(WRITTEN.map(() => freePort('127.0.0.1')));
  return ports.sort((a, b) => a - b);
}

/** Makes a directory of what such blocks call, for PATH. */
export function installPrograms(dir: string): void {
  mkdirSync(dir);
  symlinkSync(program, join(dir, 'redslot-wasm'));
  // Not every server comes with redis-cli, of which no more than this is called.
  if (!onPath('redis-cli')) writeFileSync(join(dir, 'redis-cli'), REDIS_CLI, { mode: 0o755 });
}

const ioredis = createRequire(import.meta.url).resolve('ioredis');

const REDIS_CLI = `#!/usr/bin/env node
const { Redis } = require(${JSON.stringify(ioredis)});
const [, port, ...command] = process.argv.slice(2);
const node = new Redis(Number(port));
node.call(...command).then((reply) => {
  process.stdout.write(reply);
  node.disconnect();
});
`;
