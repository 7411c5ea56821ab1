import type { Messages } from './en';

/**
 * The package's reason for a key, in the language of the page. The package says it in English;
 * one that it words in a new way is passed on as it is.
 */
export function reasonIn({ reason: words }: Messages, reason: string): string {
  const [open = '', ...rest] = reason.match(/\d+/g) ?? [];
  const [second = '', third = ''] = rest;
  if (reason.includes('between them')) return words.tagged(open, second, third);
  if (reason.includes('follows at once')) return words.empty(open, second);
  if (reason.includes('follows it')) return words.unclosed(open, second);
  if (reason.startsWith('no "{"')) return words.none(open);
  return reason;
}
