import type { Entry } from './entry.js';
import type { Settings } from './options.js';

/**
 * The entries that go over one connection, first in first out. One chunk is in
 * flight at a time, so that what is redirected can be sent again before any
 * later command of its slot.
 */
export class Lane {
  busy = false;
  /** What was sent before; goes ahead of the queue. */
  #again: Entry[] = [];
  #queue: Entry[] = [];
  #head = 0;

  constructor(
    /** Connection key: `host:port` after natMap. */
    readonly key: string,
  ) {}

  append(entry: Entry): void {
    this.#queue.push(entry);
  }

  /** Puts entries that were sent before ahead of all that were not. */
  prepend(entries: readonly Entry[]): void {
    this.#again = [...entries, ...this.#again];
  }

  /** The next entries within the limits, leaving out those that `divert` took elsewhere. */
  take(limits: Settings, divert: (entry: Entry) => boolean): Entry[] {
    const chunk = new Chunk(limits, divert);
    const again = this.#again;
    // What `divert` prepends meanwhile is for the next chunk.
    this.#again = [];
    let at = 0;
    while (at < again.length && chunk.admits(again[at] as Entry)) at++;
    if (at < again.length) {
      this.#again = [...again.slice(at), ...this.#again];
      return chunk.entries;
    }
    while (this.#head < this.#queue.length && chunk.admits(this.#queue[this.#head] as Entry)) {
      this.#head++;
    }
    this.#forgetTaken();
    return chunk.entries;
  }

  /** Often enough to bound what is kept, seldom enough to cost nothing. */
  #forgetTaken(): void {
    if (this.#head < this.#queue.length / 2) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}

/** What is written in one piece, within the limits; a single larger command goes alone. */
class Chunk {
  readonly entries: Entry[] = [];
  #bytes = 0;

  constructor(
    readonly limits: Settings,
    readonly divert: (entry: Entry) => boolean,
  ) {}

  /** False when an entry has to wait for the next chunk; true when it is dealt with. */
  admits(entry: Entry): boolean {
    if (entry.done) return true;
    const bytes = this.#bytes + argumentBytes(entry);
    const { chunkCommands, chunkBytes } = this.limits;
    const isFull = this.entries.length === chunkCommands || bytes > chunkBytes;
    if (isFull && this.entries.length > 0) return false;
    if (this.divert(entry)) return true;
    this.#bytes = bytes;
    this.entries.push(entry);
    return true;
  }
}

/** Bytes of all arguments; a string counts one per UTF-16 unit, which is near enough to bound. */
function argumentBytes({ command: { args } }: Entry): number {
  let bytes = 0;
  for (let i = 0; i < args.length; i++) bytes += (args[i] as string | Uint8Array).length;
  return bytes;
}
