#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { check } from './check.js';
import type { Command } from './command.js';
import { ExitCode } from './exit-code.js';
import { explain } from './explain.js';
import { Failure } from './failure.js';
import { EXIT_CODES } from './help.js';
import { printable } from './key-text.js';
import { readArguments } from './options.js';
import { Output } from './output.js';
import { partition } from './partition.js';
import { pattern } from './pattern.js';
import { slot } from './slot.js';
import { tag } from './tag.js';

const COMMANDS: readonly Command[] = [slot, explain, pattern, tag, partition, check];

const HELP = `redslot-wasm <command> [options] [arguments]

Hash slots of Redis Cluster:

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}`).join('\n')}

redslot-wasm <command> --help tells more, redslot-wasm --version the version. With --json every
line of output is one JSON document; a key in it is "key", or "hex" where it is not UTF-8. In text
such a key, and one with a quote, a backslash or what does not print, is quoted as redis-cli does.
Arguments that begin with "-" stand after "--".

${EXIT_CODES}`;

async function run([name, ...args]: readonly string[]): Promise<ExitCode> {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return await runCommand(command, args);
  if (name === '--help' || name === '-h') return print(HELP);
  if (name === '--version') return print(version());
  if (name === undefined) throw new Failure(HELP);
  // What does not look like a command is not repeated, as it may be a URL with a password in it.
  const shown = /^[\w-]{1,20}$/.test(name) ? `command "${name}"` : 'such command';
  throw new Failure(`There is no ${shown}; redslot-wasm --help lists them.`);
}

async function runCommand(command: Command, args: readonly string[]): Promise<ExitCode> {
  const read = readArguments(args, ['help', ...command.options]);
  if (read.options.help) return print(command.help);
  return await command.run(read, new Output(process.stdout, read.options.json === true));
}

function print(text: string): ExitCode {
  console.log(text);
  return ExitCode.fine;
}

function version(): string {
  const path = new URL('../../../package.json', import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

/** Anything but a `Failure` is a fault of this program, of which the stack tells more. */
function told(error: unknown): ExitCode {
  const failure = error instanceof Failure ? error : null;
  const stack = error instanceof Error ? error.stack : error;
  console.error(printable(failure?.message ?? String(stack)));
  return failure?.exitCode ?? ExitCode.fault;
}

// Whoever reads a part, such as `head`, has what they wanted. The exit code is what it is by then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? undefined : told(new Failure(`Output: ${error.message}`)));
});
process.exitCode = await run(process.argv.slice(2)).catch(told);
