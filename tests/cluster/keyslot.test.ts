import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { type Key, keySlot, keySlots } from 'redslot-wasm';
import { startCluster, type TestCluster } from './support/cluster.mjs';

const KEYS = 24_000;

/** Braces often, so that tags of every shape occur; then bytes of every kind. */
const SYMBOLS = [
  '{',
  '}',
  '{}',
  'a',
  'b',
  '0',
  ':',
  ' ',
  '\0',
  '\n',
  'é',
  '한',
  '💀',
  '\ud800',
  '\udc00',
];

/** The same keys in every run (mulberry32), so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function generated(): Key[] {
  const next = random(20_111);
  return Array.from({ length: KEYS }, (_, i) => {
    const length = next(i % 50 === 0 ? 300 : 12);
    if (i % 3 > 0) return Array.from({ length }, () => SYMBOLS[next(SYMBOLS.length)]).join('');
    const bytes = Buffer.from(Array.from({ length }, () => next(256)));
    for (let braces = next(4); braces > 0 && length > 0; braces--) {
      bytes[next(length)] = next(2) ? 0x7b : 0x7d;
    }
    return bytes;
  });
}

let servers: TestCluster;
before(async () => {
  servers = await startCluster({ primaries: 1 });
});
after(() => servers?.stop());

describe('the hash slot', () => {
  it(`equals CLUSTER KEYSLOT of a live server for ${KEYS} keys, alone and in a batch`, async () => {
    const keys = generated();
    const node = new Redis(servers.startupNodes[0] as { host: string; port: number });
    try {
      const pipeline = node.pipeline();
      for (const key of keys) pipeline.call('CLUSTER', 'KEYSLOT', key as string | Buffer);
      const told = ((await pipeline.exec()) ?? []).map(([, slot]) => slot);
      const batch = keySlots(keys);
      assert.equal(told.length, KEYS);
      assert.ok(new Set(told).size > 10_000, 'the keys spread over the slots');
      keys.forEach((key, i) => {
        const shown =
          typeof key === 'string'
            ? JSON.stringify(key)
            : Buffer.from(key as Buffer).toString('hex');
        assert.equal(batch[i], told[i], `batch: ${shown}`);
        assert.equal(keySlot(key), told[i], `alone: ${shown}`);
      });
    } finally {
      node.disconnect();
    }
  });
});
