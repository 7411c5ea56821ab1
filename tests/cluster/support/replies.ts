import assert from 'node:assert/strict';
import { RedslotError } from 'redslot-wasm/ioredis';

type Replies = [error: Error | null, result: unknown][] | null;

/** The values of replies that must all be values. */
export function values(replies: Replies): unknown[] {
  return (replies ?? []).map(([error, value]) => {
    assert.equal(error, null);
    return value;
  });
}

/** The error of this package at a position. */
export function errorAt(replies: Replies, position: number): RedslotError {
  const error = replies?.[position]?.[0];
  assert.ok(error instanceof RedslotError, `no RedslotError at ${position}: ${String(error)}`);
  return error;
}
