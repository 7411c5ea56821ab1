import { isUtf8 } from 'node:buffer';
import { Failure } from './failure.js';
import { type TextOrBytes, textOrBytes } from './key-text.js';

/** Lines that were read together. */
export interface Lines {
  /** The number of the first of them, counted from 1. */
  readonly first: number;
  readonly lines: readonly TextOrBytes[];
}

/** Longest line that is held, in bytes. */
const LONGEST = 64 * 1024 * 1024;

/** More than one read gives: so long a block is one long line and little else. */
const LONG_BLOCK = 1024 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The lines of a source, some thousand at a time, without their ends, which are `\n` or `\r\n`. A
 * byte order mark before the first is left out. Holds one read and the longest line in memory.
 */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Lines> {
  let first = 1;
  for await (const block of blocksOf(source)) {
    const begin = first === 1 && block.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    const lines = split(block.subarray(begin));
    yield { first, lines };
    first += lines.length;
  }
}

/** Whole lines, joined by their newlines; of the last one the newline is left out. */
async function* blocksOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let held = 0;
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
      held = 0;
    }
    const rest = chunk.subarray(end + 1);
    pending.push(rest);
    held += rest.length;
    if (held > LONGEST) throw new Failure(`A line is longer than ${LONGEST} bytes.`);
  }
  if (held > 0) yield Buffer.concat(pending);
}

function split(block: Buffer): TextOrBytes[] {
  if (block.length > LONG_BLOCK || !isUtf8(block)) return splitBytes(block).map(textOrBytes);
  const lines = block.toString().split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function splitBytes(block: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from <= block.length; ) {
    const next = block.indexOf(NEWLINE, from);
    const end = next < 0 ? block.length : next;
    const bare = end > from && block[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    lines.push(block.subarray(from, bare));
    from = end + 1;
  }
  return lines;
}
