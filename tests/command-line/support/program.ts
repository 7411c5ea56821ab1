import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../../scripts/run.mjs';

/** What a run of the program gave. */
export interface Run {
  code: number | null;
  out: string;
  err: string;
}

interface Settings {
  /** What the program reads from standard input. */
  input?: string | Buffer;
  env?: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const version: string = manifest.version;

/** The file that `npx redslot-wasm` runs. */
export const program: string = join(root, manifest.bin['redslot-wasm']);

/** Runs the program as a shell does, with the given arguments. */
export function run(args: string[], { input = '', env = {} }: Settings = {}): Promise<Run> {
  const { REDISCLI_AUTH: _, ...own } = process.env;
  const child = spawn(program, args, { env: { ...own, ...env } });
  // What ends early does not read all of it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return ended(child);
}

/** What the program prints when all is well. */
export async function output(args: string[], settings?: Settings): Promise<string> {
  const { code, out, err } = await run(args, settings);
  if (code !== 0 || err !== '') throw new Error(`ended with ${code}: ${err}`);
  return out;
}

/** The same as the documents of its lines. */
export async function documents(args: string[], settings?: Settings): Promise<unknown[]> {
  const out = await output([...args, '--json'], settings);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Runs a shell command in which `$PROGRAM` is the program. */
export function shell(command: string): Promise<Run> {
  const child = spawn('bash', ['-c', command], { env: { ...process.env, PROGRAM: program } });
  return ended(child);
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Run> {
  const code = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}
