import { getKeyIndexes, list } from '@ioredis/commands';
import type { Key } from 'redslot-wasm';
import { unescaped } from './bytes';
import type { KeyMode } from './state/fields';

/** One line that the user pasted. */
export interface Line {
  /** Where it stands in the paste, from 1. */
  readonly number: number;
  readonly text: string;
  /** Name and arguments, null for a line that is a key. */
  readonly command: readonly [string, ...(string | Uint8Array)[]] | null;
  readonly keys: readonly Key[];
}

const KNOWN = new Set(list);
const CHUNK = 8000;
const PROMPT = /^(?:[\w.:[\]-]*>\s+|\d+\.\d+ \[\d+ [^\]]+\] |\s*\d+\)\s+)/;
const NEEDS_CARE = /["'\\]/;

/**
 * Reads a paste in pieces, between which the page stays responsive.
 *
 * @param report - is told how far it is, and answers whether to go on
 * @returns null when it was told to stop
 */
export async function readLines(
  text: string,
  mode: KeyMode,
  report: (done: number, all: number) => boolean,
): Promise<Line[] | null> {
  const raw = text.split('\n');
  const lines: Line[] = [];
  for (let from = 0; from < raw.length; from += CHUNK) {
    const to = Math.min(raw.length, from + CHUNK);
    for (let at = from; at < to; at++) {
      const line = readLine(raw[at] as string, at + 1, mode);
      if (line !== null) lines.push(line);
    }
    if (to < raw.length) {
      if (!report(to, raw.length)) return null;
      await pause();
    }
  }
  return lines;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function readLine(raw: string, number: number, mode: KeyMode): Line | null {
  const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  if (text === '') return null;
  if (mode === 'keys') return { number, text, command: null, keys: [bareKey(text)] };
  const bare = text.replace(PROMPT, '');
  const words = wordsOf(bare);
  const [name, ...args] = words;
  if (typeof name === 'string' && isCommand(name, args.length, mode)) {
    return { number, text, command: [name, ...args], keys: keysOf(name, args) };
  }
  return { number, text, command: null, keys: [words.length === 1 ? (name ?? '') : bareKey(bare)] };
}

/** A line that is a key: unquoted when it stands in quotes as redis-cli prints it. */
function bareKey(text: string): string | Uint8Array {
  return /^".*"$/s.test(text) ? unescaped(text.slice(1, -1)) : text;
}

function isCommand(name: string, args: number, mode: KeyMode): boolean {
  if (mode === 'commands') return true;
  return args > 0 && isKnown(name);
}

function isKnown(name: string): boolean {
  return KNOWN.has(name.toLowerCase());
}

/** Splits as redis-cli does: blanks separate, quotes hold together. */
function wordsOf(text: string): (string | Uint8Array)[] {
  if (!NEEDS_CARE.test(text)) return text.split(/\s+/).filter((word) => word !== '');
  const words = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s]+/gs) ?? [];
  return words.map((word) => {
    if (word.length > 1 && /^".*"$/s.test(word)) return unescaped(word.slice(1, -1));
    if (word.length > 1 && /^'.*'$/s.test(word)) return word.slice(1, -1).replaceAll("\\'", "'");
    return word;
  });
}

/** The keys of a command, as ioredis finds them; the first argument where it knows none. */
function keysOf(name: string, args: (string | Uint8Array)[]): Key[] {
  if (!isKnown(name)) return args.slice(0, 1);
  try {
    const words = args as unknown as string[];
    const indexes = getKeyIndexes(name.toLowerCase(), words);
    return indexes.flatMap((at) => (args[at] === undefined ? [] : [args[at]]));
  } catch {
    // A command that is cut off, such as EVAL without the number of its keys.
    return [];
  }
}
