import { Failure } from './failure.js';
import { type Notation, readKey, type TextOrBytes } from './key-text.js';
import { linesOf } from './lines.js';
import type { Options } from './options.js';
import { bytesOf, STDIN } from './source.js';

/** Where keys come from: what was typed, or the lines of a file. */
export type KeySource = { readonly words: readonly string[] } | { readonly path: string };

/** What was typed, or without that standard input. */
export function typedKeys(words: readonly string[]): KeySource {
  return words.length > 0 ? { words } : { path: STDIN };
}

/** The keys of a source, some thousand at a time. Empty lines are left out. */
export function keysOf(
  source: KeySource,
  notation: Notation,
): AsyncGenerator<readonly TextOrBytes[]> {
  const typed = 'words' in source;
  return readEach(source, (written, place) => {
    if (typed && notation !== 'hex') checkDecoded(written, place);
    return readKey(written, notation, place);
  });
}

/**
 * What was typed, or the lines of a file but for empty ones, some thousand at a time.
 *
 * @param read - takes one, and where it stands, for the message of a `Failure`
 */
export async function* readEach<Read>(
  source: KeySource,
  read: (written: TextOrBytes, place: string) => Read,
): AsyncGenerator<readonly Read[]> {
  if ('words' in source) {
    yield source.words.map((word, at) => read(word, `Argument ${at + 1}`));
    return;
  }
  for await (const { first, lines } of linesOf(bytesOf(source.path))) {
    const batch: Read[] = [];
    for (const [at, line] of lines.entries()) {
      if (line.length > 0) batch.push(read(line, `Line ${first + at}`));
    }
    yield batch;
  }
}

/** Node.js decodes arguments, and puts U+FFFD for bytes that are not UTF-8: those are lost. */
function checkDecoded(word: TextOrBytes, place: string): void {
  if (!word.includes('\ufffd')) return;
  throw new Failure(
    `${place} is not UTF-8, or has U+FFFD in it, which cannot be told apart: write it with --hex\n` +
      'or --escapes, or as a line of standard input.',
  );
}

/** How the options say that keys are written. */
export function notationOf({ hex, escapes }: Options): Notation {
  if (hex && escapes) throw new Failure('--hex and --escapes exclude each other.');
  if (hex) return 'hex';
  return escapes ? 'escapes' : 'plain';
}
