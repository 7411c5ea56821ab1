import { readFileSync } from 'node:fs';
import type { SlotMap as SlotMapType } from 'redslot-wasm';
import { SlotMap } from 'redslot-wasm';

/** A key of the corpus with the slot that a server gave it. */
export interface KeyRow {
  readonly key: string | Buffer;
  readonly slot: number;
}

interface Recorded {
  readonly key?: string;
  readonly hex?: string;
  readonly pattern?: string;
  readonly slot: number;
}

function recorded(name: string): Recorded[] {
  return JSON.parse(readFileSync(new URL(`../corpus/${name}`, import.meta.url), 'utf8'));
}

export const KEYS: readonly KeyRow[] = recorded('keys.json').map(({ key, hex, slot }) => ({
  key: key ?? Buffer.from(hex as string, 'hex'),
  slot,
}));

export const PATTERNS: readonly { pattern: string; slot: number | null }[] = recorded(
  'patterns.json',
).map(({ pattern, slot }) => ({ pattern: pattern as string, slot }));

/** Three primaries with 5461 or 5462 slots each, as redis-cli deals them out. */
export function evenMap(): SlotMapType {
  return SlotMap.fromSlots([
    [0, 5460, ['192.0.2.1', 7000, 'p1', []], ['192.0.2.4', 7003, 'r1', []]],
    [5461, 10922, ['192.0.2.2', 7001, 'p2', []]],
    [10923, 16383, ['192.0.2.3', 7002, 'p3', []]],
  ]);
}
