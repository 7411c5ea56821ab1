import { readOnly } from 'virtual:command-lists';
import type { WireCommand } from './client.js';

const READ_ONLY: ReadonlySet<string> = new Set(readOnly);

/**
 * Whether a command changes nothing, by the flag that Redis documents for it or
 * the `readOnly` of a defined script. A command that is not known is no read.
 */
export function isReadOnly({ isReadOnly, name }: WireCommand): boolean {
  return isReadOnly === true || READ_ONLY.has(name.toLowerCase());
}
