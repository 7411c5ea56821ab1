import type { Entry } from './entry.js';

/**
 * Keeps the order of each slot: the commands that have to be sent again, and
 * those that are parked behind them, in call order. A command may leave when every
 * earlier one of this list leaves in the same chunk.
 */
export class Holds {
  readonly #bySlot = new Map<number, Entry[]>();
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
    if (!this.any) return true;
    for (const earlier of this.#bySlot.get(entry.slot) ?? []) {
      if (earlier.index >= entry.index) break;
      if (earlier.chunk !== chunk) return false;
    }
    entry.chunk = chunk;
    return true;
  }

  /** Takes a finished command off; gives the parked ones that are first now, in call order. */
  release(entry: Entry): Entry[] {
    const list = this.#bySlot.get(entry.slot);
    if (!list) return [];
    const at = position(list, entry);
    if (list[at] === entry) list.splice(at, 1);
    if (list.length === 0) this.#bySlot.delete(entry.slot);
    const freed: Entry[] = [];
    for (const first of list) {
      if (!first.parked) break;
      first.parked = false;
      freed.push(first);
    }
    return freed;
  }

  #put(entry: Entry, parked: boolean): void {
    const list = this.#bySlot.get(entry.slot);
    entry.parked = parked;
    entry.chunk = 0;
    if (!list) {
      this.#bySlot.set(entry.slot, [entry]);
      return;
    }
    const at = position(list, entry);
    if (list[at] !== entry) list.splice(at, 0, entry);
  }
}

/** Where an entry stands in a list in call order, or would. */
function position(list: readonly Entry[], { index }: Entry): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Entry).index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
