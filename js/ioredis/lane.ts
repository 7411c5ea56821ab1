import type { Entry } from './entry.js';
import type { Settings } from './options.js';

/**
 * The entries that go over one connection, first in first out. One chunk is in
 * flight at a time, so that what is redirected can be sent again before any
 * later command of its slot.
 */
export class Lane {
  busy = false;
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
    this.#queue = [...entries, ...this.#queue.slice(this.#head)];
    this.#head = 0;
  }

  /** The next entries within the limits, leaving out those that `divert` took elsewhere. */
  take(limits: Settings, divert: (entry: Entry) => boolean): Entry[] {
    const chunk: Entry[] = [];
    let bytes = 0;
    for (; this.#head < this.#queue.length; this.#head++) {
      const entry = this.#queue[this.#head] as Entry;
      if (entry.done || divert(entry)) continue;
      bytes += argumentBytes(entry);
      const full = chunk.length === limits.chunkCommands || bytes > limits.chunkBytes;
      if (full && chunk.length > 0) break;
      chunk.push(entry);
    }
    return chunk;
  }
}

/** Bytes of all arguments; a string counts one per UTF-16 unit, which is near enough to bound. */
function argumentBytes({ command }: Entry): number {
  let bytes = 0;
  for (const arg of command.args) bytes += (arg as string | Uint8Array).length;
  return bytes;
}
