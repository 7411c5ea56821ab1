import { createReadStream } from 'node:fs';
import { Failure, reasonOf } from './failure.js';

/** Names standard input where a file is asked for. */
export const STDIN = '-';

/**
 * Longest text that is read, in bytes: those of the longest topology that `SlotMap.parse` takes,
 * 67,108,864 characters of at most four bytes.
 */
const LONGEST_TEXT = 4 * 67_108_864;

/** The bytes of a file, or of standard input. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* path === STDIN ? standardInput() : createReadStream(path);
  } catch (error) {
    throw new Failure(`${sourceName(path)} cannot be read: ${reasonOf(error)}`);
  }
}

/** What to call a file, or standard input, at the beginning of a message. */
export function sourceName(path: string): string {
  return path === STDIN ? 'Standard input' : path;
}

function standardInput(): AsyncIterable<Buffer> {
  if (process.stdin.isTTY) console.error('Reading from the terminal; Ctrl-D on a new line ends.');
  return process.stdin;
}

/** All of a file, or of standard input, as text, unless it goes on and on. */
export async function textOf(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of bytesOf(path)) {
    chunks.push(chunk);
    held += chunk.length;
    if (held > LONGEST_TEXT) {
      throw new Failure(`${sourceName(path)} is longer than ${LONGEST_TEXT} bytes.`);
    }
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
