import names from 'virtual:read-only-commands';
import type { WireCommand } from './client.js';

const READ_ONLY: ReadonlySet<string> = new Set(names);

/**
 * Whether a command changes nothing, by the flag that Redis documents for it or
 * the `readOnly` of a defined script. A command that is not known is no read.
 */
export function isReadOnly({ isReadOnly, name }: WireCommand): boolean {
  return isReadOnly === true || READ_ONLY.has(name.toLowerCase());
}
