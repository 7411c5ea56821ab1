import assert from 'node:assert/strict';
import { RedslotError } from 'redslot-wasm/ioredis';
import type { TestCluster } from './cluster.mjs';

type Replies = [error: Error | null, result: unknown][] | null;

/** The part of `redslot(cluster)` that runs a batch. */
interface Batches {
  pipeline(commands: unknown[][]): { exec(): Promise<Replies> };
}

interface Account {
  acknowledged: number;
  unknown: number;
}

/**
 * Counters that batches increment, each with what the batches said about it, so
 * that afterwards every INCR can be accounted for.
 */
export class Counters {
  readonly #accounts = new Map<string, Account>();

  /** One INCR per key in one batch; every position must be a result or an honest error. */
  async incr(slots: Batches, keys: readonly string[]): Promise<NonNullable<Replies>> {
    const replies = await slots.pipeline(keys.map((key) => ['incr', key])).exec();
    assert.equal(replies?.length, keys.length);
    keys.forEach((key, i) => {
      this.note(key, replies?.[i]);
    });
    return replies as NonNullable<Replies>;
  }

  /** As `incr`, where nothing may fail. */
  async incrAll(slots: Batches, keys: readonly string[]): Promise<void> {
    const replies = await this.incr(slots, keys);
    assert.equal(replies.find(([error]) => error)?.[0] ?? null, null);
  }

  note(key: string, reply: [Error | null, unknown] | undefined): void {
    const account = this.#accounts.get(key) ?? { acknowledged: 0, unknown: 0 };
    this.#accounts.set(key, account);
    const [error, value] = reply ?? [];
    if (error === null) {
      assert.equal(typeof value, 'number');
      account.acknowledged += 1;
    } else {
      assert.ok(isHonest(error), `not an honest error: ${error}`);
      if (error instanceof RedslotError && error.executed === 'unknown') account.unknown += 1;
    }
  }

  /**
   * What the primaries hold is what was acknowledged, and where the outcome of
   * some INCRs is unknown, at most that many more. No key is on two primaries.
   */
  async verify(servers: TestCluster): Promise<void> {
    const stored = await servers.contents();
    const wrong: unknown[] = [];
    for (const [key, { acknowledged, unknown }] of this.#accounts) {
      const value = Number(stored.get(key) ?? 0);
      if (value < acknowledged || value > acknowledged + unknown) {
        wrong.push({ key, value, acknowledged, unknown });
      }
    }
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} counters differ`);
  }
}

function isHonest(error: unknown): boolean {
  return error instanceof RedslotError || (error as Error)?.name === 'ReplyError';
}

/** Of each position, the code of its `RedslotError`, the first word of another error, or null. */
export function codes(replies: Replies): (string | null)[] {
  return (replies ?? []).map(([error]) => {
    if (error === null) return null;
    return error instanceof RedslotError ? error.code : (error.message.split(' ')[0] ?? '');
  });
}
