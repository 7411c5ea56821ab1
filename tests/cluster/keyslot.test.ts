import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { keySlot, keySlots } from 'redslot-wasm';
import { recordedKeys, shown } from '../corpus/rows.ts';
import { startCluster, type TestCluster } from './support/cluster.mjs';

const KEYS = 24_000;
/** Long keys are among them, so that not all are sent at once. */
const BATCH = 1000;

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

/** Others in every run; a failure shows its key. */
function generated(): (string | Buffer)[] {
  const next = (below: number) => (below > 0 ? randomInt(below) : 0);
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
let node: Redis;
before(async () => {
  servers = await startCluster({ primaries: 1 });
  node = new Redis(servers.startupNodes[0] as { host: string; port: number });
});
after(async () => {
  node?.disconnect();
  await servers?.stop();
});

/** What the live server answers for these keys, as ioredis sends them. */
async function toldSlots(keys: readonly (string | Buffer)[]): Promise<number[]> {
  const slots: number[] = [];
  for (let at = 0; at < keys.length; at += BATCH) {
    const pipeline = node.pipeline();
    for (const key of keys.slice(at, at + BATCH)) pipeline.call('CLUSTER', 'KEYSLOT', key);
    for (const [error, slot] of (await pipeline.exec()) ?? []) {
      assert.ifError(error);
      slots.push(slot as number);
    }
  }
  return slots;
}

describe('the hash slot', () => {
  it(`equals CLUSTER KEYSLOT of a live server for ${KEYS} random keys, alone and in a batch`, async () => {
    const keys = generated();
    const told = await toldSlots(keys);
    const batch = keySlots(keys);
    assert.equal(told.length, KEYS);
    assert.ok(new Set(told).size > 10_000, 'the keys spread over the slots');
    keys.forEach((key, i) => {
      assert.equal(batch[i], told[i], `batch: ${shown(key)}`);
      assert.equal(keySlot(key), told[i], `alone: ${shown(key)}`);
    });
  });

  it('equals CLUSTER KEYSLOT of a live server for the keys of the corpus, and is the recorded one', async () => {
    const rows = recordedKeys();
    const keys = rows.map(({ key }) => key);
    const told = await toldSlots(keys);
    const batch = keySlots(keys);
    assert.equal(new Set(told).size, 16384);
    rows.forEach(({ key, slot }, i) => {
      assert.equal(told[i], slot, `recorded: ${shown(key)}`);
      assert.equal(batch[i], told[i], `batch: ${shown(key)}`);
      assert.equal(keySlot(key), told[i], `alone: ${shown(key)}`);
    });
  });
});
