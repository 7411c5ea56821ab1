/** Why a hash tag looks as if data, not intent, had put it there. */
export type Suspicion = 'data' | 'brace' | 'blank' | 'separator' | 'long';

/** The longest tag that people write on purpose, generously. */
const LONG = 64;

/**
 * Marks of tags that came about by accident: JSON or program text in a key, braces around a key
 * that has some, a separator inside the braces that was meant to stand outside.
 */
export function suspicionOf(tag: string | Uint8Array): Suspicion | null {
  const text = typeof tag === 'string' ? tag : new TextDecoder().decode(tag);
  if (text.includes('{')) return 'brace';
  if (/["'()[\];=<>]/.test(text)) return 'data';
  if (/\s/.test(text)) return 'blank';
  if (/^[:/|]|[:/|]$/.test(text)) return 'separator';
  return text.length > LONG ? 'long' : null;
}
