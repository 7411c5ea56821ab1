const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What redis-cli writes for bytes that it does not print, apart from `\xNN`. */
const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, a: 7, '0': 0 };

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text that bytes spell, or the bytes themselves when they spell none. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  try {
    return decoder.decode(bytes);
  } catch {
    return bytes;
  }
}

/** Reads `\xNN`, `\n` and the like as redis-cli does between double quotes. */
export function unescaped(text: string): string | Uint8Array {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const hex = /^\\x([0-9a-f]{2})/i.exec(text.slice(at, at + 4));
    if (hex) {
      bytes.push(Number.parseInt(hex[1] as string, 16));
      at += 4;
    } else if (text[at] === '\\' && at + 1 < text.length) {
      const next = String.fromCodePoint(text.codePointAt(at + 1) as number);
      const known = ESCAPES[next];
      if (known === undefined) bytes.push(...utf8(next));
      else bytes.push(known);
      at += 1 + next.length;
    } else {
      const char = String.fromCodePoint(text.codePointAt(at) as number);
      bytes.push(...utf8(char));
      at += char.length;
    }
  }
  return textOrBytes(Uint8Array.from(bytes));
}

/** A key as one line of text, with what does not print escaped. */
export function shownKey(key: string | Uint8Array): string {
  if (typeof key !== 'string') return [...key].map(shownByte).join('');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return key.replace(/[\u0000-\u001f\u007f]/g, (char) => shownByte(char.charCodeAt(0)));
}

function shownByte(byte: number): string {
  if (byte === 10) return '\\n';
  if (byte === 13) return '\\r';
  if (byte === 9) return '\\t';
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${hex(byte)}`;
}

export function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** A key between quotes, as redis-cli reads it at its prompt. */
export function cliQuoted(key: string | Uint8Array): string {
  const bytes = typeof key === 'string' ? key.replaceAll('\\', '\\\\') : key;
  const plain = typeof bytes === 'string' ? shownKey(bytes) : [...bytes].map(cliByte).join('');
  return `"${plain.replaceAll('"', '\\"')}"`;
}

function cliByte(byte: number): string {
  return byte === 0x5c ? '\\\\' : shownByte(byte);
}
