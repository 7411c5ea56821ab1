import assert from 'node:assert/strict';
import { format, inspect } from 'node:util';
import { squeezed } from './program.ts';

/** Compares what a block gives with what it says of it. */
export class Stated {
  readonly #results: readonly string[];
  readonly #seen = new Set<number>();

  constructor(results: readonly string[]) {
    this.#results = results;
  }

  gives(at: number, value: unknown): void {
    this.#compare(at, inspect(value, { breakLength: Infinity, depth: Infinity }));
  }

  prints(at: number, values: unknown[]): void {
    this.#compare(at, format(...values));
  }

  async fails(at: number, work: () => Promise<unknown>): Promise<void> {
    let failure: unknown;
    await work().catch((error) => {
      failure = error;
    });
    this.#compare(at, String(failure));
  }

  /** Asserts that the block came to each of its results. */
  checkAllSeen(): void {
    const missed = this.#results.filter((_, at) => !this.#seen.has(at));
    assert.deepEqual(missed, []);
  }

  #compare(at: number, found: string): void {
    this.#seen.add(at);
    const said = this.#results[at] ?? '';
    const parts = said.split('...').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    assert.match(squeezed(found), new RegExp(`^${parts.join('.*')}$`));
  }
}
