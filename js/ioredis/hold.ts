import type { Entry } from './entry.js';

/**
 * Keeps the order of each slot: the commands that have to be sent again or over
 * another connection, and those that are parked behind them, in call order. All
 * others of a slot are on one lane, behind these. A command may leave when every
 * earlier one that is held leaves in the same chunk.
 */
export class Holds {
  readonly #bySlot = new Map<number, Hold>();
  #chunks = 0;

  get any(): boolean {
    return this.#bySlot.size > 0;
  }

  /** A number for what is taken off a lane and written together. */
  nextChunk(): number {
    this.#chunks += 1;
    return this.#chunks;
  }

  /** For commands to be sent again: later ones of their slots wait until they are done. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) this.#put(entry, false);
  }

  /** For commands that wait until `release` gives them back. */
  park(entries: readonly Entry[]): void {
    for (const entry of entries) this.#put(entry, true);
  }

  /** Whether a command may leave with a chunk. */
  mayLeave(entry: Entry, chunk: number): boolean {
    return this.#bySlot.get(entry.slot)?.mayLeave(entry, chunk) ?? true;
  }

  /** To be told of each finished command; gives the parked ones that are first now, in call order. */
  release({ slot }: Entry): Entry[] {
    const hold = this.#bySlot.get(slot);
    if (!hold) return [];
    hold.skipDone();
    if (hold.isEmpty) this.#bySlot.delete(slot);
    return hold.unpark();
  }

  #put(entry: Entry, parked: boolean): void {
    const { slot } = entry;
    const hold = this.#bySlot.get(slot) ?? new Hold();
    this.#bySlot.set(slot, hold);
    entry.parked = parked;
    hold.put(entry);
  }
}

/** The held commands of one slot; what is done stays in the list until it comes first. */
class Hold {
  readonly #entries: Entry[] = [];
  #head = 0;
  /** All before `#passed` are done or leave with chunk `#leaving`. */
  #leaving = 0;
  #passed = 0;

  get isEmpty(): boolean {
    return this.#head === this.#entries.length;
  }

  put(entry: Entry): void {
    entry.chunk = 0;
    this.#leaving = 0;
    let at = this.#position(entry);
    // Parts of one command share its index, in any order.
    while (this.#entries[at]?.index === entry.index && this.#entries[at] !== entry) at++;
    if (this.#entries[at] !== entry) this.#entries.splice(at, 0, entry);
  }

  mayLeave(entry: Entry, chunk: number): boolean {
    if (this.#leaving !== chunk) {
      this.#leaving = chunk;
      this.#passed = this.#head;
    }
    const entries = this.#entries;
    for (; this.#passed < entries.length; this.#passed++) {
      const earlier = entries[this.#passed] as Entry;
      if (earlier.index >= entry.index) break;
      if (!earlier.done && earlier.chunk !== chunk) return false;
    }
    entry.chunk = chunk;
    return true;
  }

  skipDone(): void {
    while (this.#entries[this.#head]?.done) this.#head++;
  }

  /** The parked commands up to the first that is not. */
  unpark(): Entry[] {
    const freed: Entry[] = [];
    for (let at = this.#head; at < this.#entries.length; at++) {
      const entry = this.#entries[at] as Entry;
      if (entry.done) continue;
      if (!entry.parked) break;
      entry.parked = false;
      freed.push(entry);
    }
    return freed;
  }

  /** Where an entry stands in call order, or would. */
  #position({ index }: Entry): number {
    let [low, high] = [this.#head, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).index < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
