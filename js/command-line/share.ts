import type { Primary, SlotMap } from '../index.js';
import { SLOT_COUNT } from '../slot-count.js';
import type { Tally } from './tally.js';

/** A part of the slots, and the keys in them. */
export interface Share {
  slots: number;
  keys: number;
}

/** What one primary serves. */
export interface PrimaryShare extends Share {
  readonly node: Primary;
}

/** All slots, each in one share. */
export interface Shares {
  /** One per primary, in their order. */
  readonly primaries: readonly PrimaryShare[];
  /** What no primary serves, or several claim. */
  readonly nobody: Share;
}

/** Slots and keys by the primary that serves them. Without a tally there are no keys. */
export function sharesOf(map: SlotMap, tally: Tally | null): Shares {
  const primaries = map.primaries.map((node) => ({ node, slots: 0, keys: 0 }));
  const nobody = { slots: 0, keys: 0 };
  const byNode = new Map<Primary | null, Share>(primaries.map((share) => [share.node, share]));
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    const share = byNode.get(map.ownerOf(slot)) ?? nobody;
    share.slots += 1;
    share.keys += tally?.countOf(slot) ?? 0;
  }
  return { primaries, nobody };
}

/** How many times the mean the fullest has; null without keys. */
export function skewOf(shares: readonly Share[]): number | null {
  const keys = shares.map((share) => share.keys);
  const sum = keys.reduce((total, count) => total + count, 0);
  return sum === 0 ? null : (Math.max(...keys) * keys.length) / sum;
}
