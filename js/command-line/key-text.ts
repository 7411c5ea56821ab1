import { isUtf8 } from 'node:buffer';
import { Failure } from './failure.js';

/** A key: text, or bytes that are not UTF-8. */
export type TextOrBytes = string | Buffer;

/** How keys are written in arguments and lines. */
export type Notation = 'plain' | 'hex' | 'escapes';

/** Characters that do not print, or that make a terminal do something. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const UNPRINTABLE_UNITS = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** What redis-cli has a letter for. */
const LETTERS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8 };
const BY_BYTE = new Map(Object.entries(LETTERS).map(([letter, byte]) => [byte, letter]));

/** The text that bytes spell, or the bytes themselves where they spell none. */
export function textOrBytes(bytes: Buffer): TextOrBytes {
  return isUtf8(bytes) ? bytes.toString() : bytes;
}

/**
 * Reads a key in its notation.
 *
 * @param place - where it stands, for the message of a `Failure`
 */
export function readKey(written: TextOrBytes, notation: Notation, place: string): TextOrBytes {
  if (notation === 'plain') return written;
  return textOrBytes(notation === 'hex' ? fromHex(written, place) : fromEscapes(written));
}

function fromHex(written: TextOrBytes, place: string): Buffer {
  const digits = String(written);
  if (/^(?:[0-9a-f]{2})*$/i.test(digits)) return Buffer.from(digits, 'hex');
  throw new Failure(`${place} has to be pairs of hexadecimal digits`);
}

/** Reads what redis-cli prints between double quotes; the quotes themselves may be left out. */
function fromEscapes(written: TextOrBytes): Buffer {
  // One character per byte, because an escape may stand for any part of a character.
  const text = Buffer.from(written as string).toString('latin1');
  const bare = /^".*"$/s.test(text) ? text.slice(1, -1) : text;
  const read = bare.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex?: string, other?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const byte = LETTERS[other as string];
    return byte === undefined ? (other as string) : String.fromCharCode(byte);
  });
  return Buffer.from(read, 'latin1');
}

/**
 * A key for a line of text: as it is where all of it prints, else quoted as redis-cli quotes it.
 * The notation `escapes` reads both, since what has a quote or a backslash is quoted too.
 */
export function shownKey(key: TextOrBytes): string {
  const plain = typeof key === 'string' && key !== '' && !/["\\]/.test(key);
  return plain && !UNPRINTABLE.test(key) ? key : quoted(Buffer.from(key as string));
}

function quoted(bytes: Buffer): string {
  let text = '"';
  for (const byte of bytes) text += shownByte(byte);
  return `${text}"`;
}

function shownByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === '"' || char === '\\') return `\\${char}`;
  if (byte >= 0x20 && byte < 0x7f) return char;
  const letter = BY_BYTE.get(byte);
  return letter === undefined ? `\\x${byte.toString(16).padStart(2, '0')}` : `\\${letter}`;
}

/** A message or a name from outside, with what does not print escaped; lines stay lines. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE_UNITS, (char) => (char === '\n' ? char : unitEscapes(char)));
}

/** A document on one line, that prints on any terminal. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE_UNITS, unitEscapes);
}

function unitEscapes(char: string): string {
  const units = char.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

/** A key as a member of a document: `key`, or `hex` for bytes that are not UTF-8. */
export function keyMember(key: TextOrBytes): { key: string } | { hex: string } {
  return typeof key === 'string' ? { key } : { hex: key.toString('hex') };
}
