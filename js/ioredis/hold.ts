import type { Entry } from './entry.js';

interface Hold {
  /** Sent before and to be sent again. */
  readonly pending: Set<Entry>;
  /** Not yet sent; to follow once none is pending. */
  readonly waiting: Entry[];
}

/** The slots whose commands are being sent again, so that later ones have to wait. */
export class Holds {
  readonly #bySlot = new Map<number, Hold>();

  get any(): boolean {
    return this.#bySlot.size > 0;
  }

  /** Holds the slot of each command until that command is done. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const hold = this.#bySlot.get(entry.slot);
      if (hold) hold.pending.add(entry);
      else this.#bySlot.set(entry.slot, { pending: new Set([entry]), waiting: [] });
    }
  }

  /** Whether an unsent command has to wait for its slot, and is now kept here. */
  keeps(entry: Entry): boolean {
    if (!this.any) return false;
    const hold = this.#bySlot.get(entry.slot);
    if (!hold || hold.pending.has(entry)) return false;
    hold.waiting.push(entry);
    return true;
  }

  /** Takes a finished command off; gives the commands that may go now, in call order. */
  release(entry: Entry): Entry[] {
    const hold = this.#bySlot.get(entry.slot);
    if (!hold?.pending.delete(entry) || hold.pending.size > 0) return [];
    this.#bySlot.delete(entry.slot);
    return hold.waiting.sort((a, b) => a.index - b.index);
  }
}
