import { explainKey, keySlots } from '../index.js';
import { SLOT_COUNT } from '../slot-count.js';
import { shownKey, type TextOrBytes } from './key-text.js';

/** How many keys of a slot are looked at for their tags: enough to see what they have in common. */
const SAMPLE = 20;

/** Most tags that are named for one slot. */
const TAGS = 3;

/** Longest tag that is kept, in characters. */
const LONGEST_TAG = 60;

/** One slot of a tally. */
export interface SlotCount {
  readonly slot: number;
  readonly keys: number;
  /** Hash tags of its first keys, the most frequent ones first, with braces. */
  readonly tags: readonly string[];
}

/** Counts keys per slot, in memory that does not grow with their number. */
export class Tally {
  /** Keys in all. */
  total = 0;
  readonly #counts = new Float64Array(SLOT_COUNT);
  readonly #tags = new Map<number, Map<string, number>>();

  add(keys: readonly TextOrBytes[]): void {
    for (const [at, slot] of keySlots(keys).entries()) {
      const before = this.#counts[slot] as number;
      this.#counts[slot] = before + 1;
      if (before < SAMPLE) this.#sample(slot, keys[at] as TextOrBytes);
    }
    this.total += keys.length;
  }

  /** How many slots have a key. */
  get slots(): number {
    return this.#counts.filter((count) => count > 0).length;
  }

  countOf(slot: number): number {
    return this.#counts[slot] as number;
  }

  /** The slots with the most keys, the fullest first. */
  largest(most: number): SlotCount[] {
    const keys = (slot: number) => this.countOf(slot);
    const used = [...this.#counts.keys()].filter((slot) => keys(slot) > 0);
    used.sort((one, other) => keys(other) - keys(one) || one - other);
    const fullest = used.slice(0, most);
    return fullest.map((slot) => ({ slot, keys: keys(slot), tags: this.#tagsOf(slot) }));
  }

  #sample(slot: number, key: TextOrBytes): void {
    if (!key.includes('{')) return;
    const { tag, hashed } = explainKey<string | Uint8Array>(key);
    if (tag === null) return;
    const text = shownKey(typeof hashed === 'string' ? hashed : Buffer.from(hashed));
    const name = `{${text.length > LONGEST_TAG ? `${text.slice(0, LONGEST_TAG)}...` : text}}`;
    const tags = this.#tags.get(slot) ?? new Map<string, number>();
    this.#tags.set(slot, tags.set(name, (tags.get(name) ?? 0) + 1));
  }

  #tagsOf(slot: number): string[] {
    const counted = [...(this.#tags.get(slot) ?? [])].sort(([, one], [, other]) => other - one);
    return counted.slice(0, TAGS).map(([name]) => name);
  }
}
