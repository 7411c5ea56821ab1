import { readFileSync } from 'node:fs';

/** A key as a user holds it, the bytes a server is sent, and the hash slot that it gave. */
export interface KeyRow {
  readonly key: string | Buffer;
  readonly bytes: Buffer;
  readonly slot: number;
  readonly origin: string;
}

export interface PatternRow {
  readonly pattern: string | Buffer;
  /** The one slot that a server infers from it, or null. */
  readonly slot: number | null;
}

interface Recorded<Slot> {
  readonly key?: string;
  readonly pattern?: string;
  readonly hex?: string;
  readonly before?: string;
  readonly repeat?: string;
  readonly times?: number;
  readonly after?: string;
  readonly slot: Slot;
  readonly origin: string;
}

/** All keys of the corpus, those with lone surrogates last. */
export function recordedKeys(): KeyRow[] {
  const keys = read<Recorded<number>>('keys.json', 'keys');
  const strings = read<Recorded<number>>('surrogates.json', 'strings');
  return [...keys, ...strings].map((row) => {
    const key = row.key ?? (row.hex === undefined ? repeated(row) : Buffer.from(row.hex, 'hex'));
    const bytes = row.hex === undefined ? Buffer.from(key as string) : Buffer.from(row.hex, 'hex');
    return { key, bytes, slot: row.slot, origin: row.origin };
  });
}

export function recordedPatterns(): PatternRow[] {
  return read<Recorded<number | null>>('patterns.json', 'patterns').map((row) => ({
    pattern: row.pattern ?? Buffer.from(row.hex as string, 'hex'),
    slot: row.slot,
  }));
}

/** How a failing key is shown: long ones cut short. */
export function shown(key: string | Buffer): string {
  const whole = typeof key === 'string' ? JSON.stringify(key) : key.toString('hex');
  return whole.length > 2000 ? `${whole.slice(0, 2000)}...` : whole;
}

function repeated({ before = '', repeat = '', times = 0, after = '' }: Recorded<unknown>): string {
  return before + repeat.repeat(times) + after;
}

function read<Row>(file: string, list: string): Row[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))[list];
}
