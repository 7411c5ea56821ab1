import { createReadStream } from 'node:fs';
import { Failure, reasonOf } from './failure.js';

/** Names standard input where a file is asked for. */
export const STDIN = '-';

/** The bytes of a file, or of standard input. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* path === STDIN ? standardInput() : createReadStream(path);
  } catch (error) {
    const name = path === STDIN ? 'Standard input' : path;
    throw new Failure(`${name} cannot be read: ${reasonOf(error)}`);
  }
}

function standardInput(): AsyncIterable<Buffer> {
  if (process.stdin.isTTY) console.error('Reading from the terminal; Ctrl-D on a new line ends.');
  return process.stdin;
}

/** All of a file, or of standard input, as text. */
export async function textOf(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(path)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
