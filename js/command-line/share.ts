import type { Primary, SlotMap } from '../index.js';
import { SLOT_COUNT, type Tally } from './tally.js';

/** What one primary serves. */
export interface Share {
  /** Null for what no primary serves, or several claim. */
  readonly node: Primary | null;
  slots: number;
  keys: number;
}

/**
 * Slots and keys by the primary that serves them: one share per primary, in their order, and a last
 * one for none. Without a tally there are no keys.
 */
export function sharesOf(map: SlotMap, tally: Tally | null): Share[] {
  const shares = [...map.primaries, null].map((node) => ({ node, slots: 0, keys: 0 }));
  const byNode = new Map(shares.map((share) => [share.node, share]));
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    const share = byNode.get(map.ownerOf(slot)) as Share;
    share.slots += 1;
    share.keys += tally?.countOf(slot) ?? 0;
  }
  return shares;
}

/** How many times the mean the fullest primary has; null without keys. */
export function skewOf(shares: readonly Share[]): number | null {
  const keys = shares.filter(({ node }) => node !== null).map((share) => share.keys);
  const sum = keys.reduce((total, count) => total + count, 0);
  return sum === 0 ? null : (Math.max(...keys) * keys.length) / sum;
}
