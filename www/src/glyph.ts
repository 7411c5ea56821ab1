import { hex } from './bytes';

/** A character of a key, or one byte that belongs to none, with the bytes it takes. */
export interface Glyph {
  /** Where its first byte is. */
  readonly at: number;
  readonly bytes: readonly number[];
  /** What stands for it in the cell. */
  readonly shown: string;
  /** `plain` for printable ASCII. */
  readonly kind: 'plain' | 'invisible' | 'wide' | 'broken';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const INVISIBLE = /^[\p{C}\p{Z}]/u;
const CONTROLS =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Cuts the bytes of a key into characters; what is not UTF-8 stands byte by byte. */
export function glyphsOf(bytes: Uint8Array): Glyph[] {
  const glyphs: Glyph[] = [];
  for (let at = 0; at < bytes.length; ) {
    const glyph = glyphAt(bytes, at);
    glyphs.push(glyph);
    at += glyph.bytes.length;
  }
  return glyphs;
}

function glyphAt(bytes: Uint8Array, at: number): Glyph {
  const length = lengthFrom(bytes[at] as number);
  const part = bytes.subarray(at, at + length);
  const text = length === part.length ? decoded(part) : null;
  if (text === null) {
    const byte = bytes[at] as number;
    return { at, bytes: [byte], shown: `\\x${hex(byte)}`, kind: 'broken' };
  }
  const kind = INVISIBLE.test(text) ? 'invisible' : length > 1 ? 'wide' : 'plain';
  return { at, bytes: [...part], shown: kind === 'invisible' ? named(text) : text, kind };
}

function lengthFrom(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function decoded(part: Uint8Array): string | null {
  try {
    return decoder.decode(part);
  } catch {
    return null;
  }
}

function named(text: string): string {
  const point = text.codePointAt(0) as number;
  if (point === 0x20) return 'SP';
  if (point === 0x7f) return 'DEL';
  return CONTROLS[point] ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
