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
export async function* keysOf(
  source: KeySource,
  notation: Notation,
): AsyncGenerator<readonly TextOrBytes[]> {
  if ('words' in source) {
    yield source.words.map((word, at) => {
      const place = `Argument ${at + 1}`;
      if (notation !== 'hex') checkDecoded(word, place);
      return readKey(word, notation, place);
    });
    return;
  }
  for await (const { first, lines } of linesOf(bytesOf(source.path))) {
    const keys: TextOrBytes[] = [];
    for (const [at, line] of lines.entries()) {
      if (line.length > 0) keys.push(readKey(line, notation, `Line ${first + at}`));
    }
    yield keys;
  }
}

/** Node.js decodes arguments, and puts U+FFFD for bytes that are not UTF-8: those are lost. */
function checkDecoded(word: string, place: string): void {
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
