import type { KeyExplanation } from 'redslot-wasm';
import type { Messages } from './en';

/** Why a key of so many bytes is hashed the way it is, in the language of the page. */
export function reasonIn(
  { reason: words }: Messages,
  { tag, braces: { open, close } }: KeyExplanation,
  length: number,
): string {
  if (open === null) return words.none(length);
  if (close === null) return words.unclosed(open, length);
  return tag === null ? words.empty(open, length) : words.tagged(open, close, tag.end - tag.start);
}
