import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { patternSlot } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';
import { recordedKeys, recordedPatterns } from '../corpus/rows.ts';
import { type ClusterInstance, releases } from './support/clients.ts';
import type { TestCluster } from './support/cluster.mjs';
import { globExpression } from './support/glob.ts';
import type { ClusterNode } from './support/node.mjs';
import { stage } from './support/stage.ts';

const KEYS = 100_000;
/** Small, so that the number of calls tells how much of a node was looked at. */
const COUNT = 10;

/** Tags with many keys each: text, wide text, bytes that are no text, a brace. */
const TAGS = ['user:7', '한글', Buffer.of(0xff, 0x80), '{a', 'cart'].map((tag) => Buffer.from(tag));

const listed = (names: string) => names.split(' ').map((name) => Buffer.from(name));
const bytes = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Patterns of which a server can know the slot; all but the last few match many keys. */
const BOUND = [
  ...TAGS.map((tag) => bytes('{', tag, '}*')),
  ...listed('{user:7}:1* {user:7}:?[0-4] {user:7}\\:* {user:7}*{}* {{a}[^:]*'),
  ...listed('foo{}{bar} foo {user:7}:13 {user:7}:none*'),
  Buffer.of(),
];

/** Patterns that match keys of several slots. */
const FREE = listed(
  'key:12* *:98 *{user:7}* ?{user:7} {us* {a*c} {a?} {a[bc]} {}* {}{a}* *{}* h?llo h[ae]llo',
);

/** Patterns that match keys of one slot at the most, which a server does not know. */
const UNKNOWN = listed('\\{user:7}:13 {user:7\\}:* fo\\o none* [f]oo');

function* generated(): Generator<Buffer> {
  for (const tag of TAGS)
    for (let n = 0; n < 300; n++) yield bytes('{', tag, `}${n % 3 ? ':' : '{}'}${n}`);
  for (let n = 0; n < 100; n++) {
    for (const name of [`{a${n}c}`, `{}${n}`, `{}{a}${n}`, `{b${n}}{user:7}`])
      yield Buffer.from(name);
  }
  yield* listed('foo foo{}{bar} {ab} {ac} x{user:7} {{user:7} }{user:7} {usual} hallo hello');
  for (const { bytes, origin } of recordedKeys()) if (origin === 'short words') yield bytes;
}

/** All of the above and as many plain ones as there is room for. */
function keyspace(): Buffer[] {
  const keys = new Map<string, Buffer>();
  for (const key of generated()) keys.set(text(key), key);
  for (let n = 0; keys.size < KEYS; n++) keys.set(`key:${n}`, Buffer.from(`key:${n}`));
  return [...keys.values()];
}

/** Bytes as a string of as many characters. */
const text = (key: Buffer) => key.toString('latin1');
const sorted = (keys: readonly Buffer[]) => keys.map(text).sort();

describe(`patterns on ${KEYS} keys`, () => {
  const { start, connect } = stage();
  let servers: TestCluster;
  let cluster: ClusterInstance;
  let all: string[];
  /** Why the server looks into all slots whatever the pattern, or false. */
  let blind: string | false;
  before(async () => {
    servers = await start({ primaries: 2 });
    cluster = connect(releases[2][1], servers);
    const keys = keyspace();
    all = sorted(keys);
    await redslot(cluster).load(keys.map((key) => [key, '1'] as const));
    const sizes = await Promise.all(servers.primaries.map((node) => node.ask('DBSIZE')));
    assert.equal(sizes[0] + sizes[1], KEYS);
    assert.ok(Math.min(...sizes) > KEYS / 3, String(sizes));
    blind = await withoutInference(servers);
  });

  /** What a comparison with every key finds, made once per pattern. */
  const matches = new Map<Buffer, string[]>();
  const found = (pattern: Buffer) => {
    const expression = globExpression(pattern);
    const known = matches.get(pattern) ?? all.filter((key) => expression.test(key));
    matches.set(pattern, known);
    return known;
  };
  const scanned = async (match: Buffer, count = 1000) => {
    const keys: Buffer[] = [];
    for await (const key of redslot(cluster).scan({ match, count, buffer: true })) keys.push(key);
    return sorted(keys);
  };
  const ownerOf = (slot: number) => servers.primaries[slot < 8192 ? 0 : 1] as ClusterNode;
  const otherThan = (slot: number) => servers.primaries[slot < 8192 ? 1 : 0] as ClusterNode;

  it('find the same keys by scan() as by a comparison with every key', async () => {
    for (const pattern of [...BOUND, ...FREE, ...UNKNOWN])
      assert.deepEqual(await scanned(pattern), found(pattern), text(pattern));
    assert.ok(BOUND.slice(0, TAGS.length).every((pattern) => found(pattern).length >= 300));
  });

  it('match keys of two slots, or of none that a server knows, where they have no slot', async () => {
    for (const pattern of FREE) {
      assert.equal(patternSlot(pattern), null, text(pattern));
      const node = ownerOf(0);
      const asked = found(pattern).map((key) =>
        node.ask('CLUSTER', 'KEYSLOT', Buffer.from(key, 'latin1')),
      );
      assert.ok(new Set(await Promise.all(asked)).size > 1, text(pattern));
    }
    for (const pattern of UNKNOWN) assert.equal(patternSlot(pattern), null, text(pattern));
  });

  it('match no key outside their slot, whichever node is asked for it by KEYS', async () => {
    let matched = 0;
    for (const { pattern: recorded, slot } of recordedPatterns()) {
      const pattern = Buffer.from(recorded as string);
      // A pattern without a wildcard is a key.
      if (slot === null || !/[*?[\\]/.test(text(pattern))) continue;
      const [here, elsewhere] = await Promise.all(
        [ownerOf(slot), otherThan(slot)].map((node) => node.control.callBuffer('KEYS', pattern)),
      );
      assert.deepEqual(elsewhere, [], text(pattern));
      const keys = here as Buffer[];
      const told = keys.map((key) => ownerOf(slot).ask('CLUSTER', 'KEYSLOT', key));
      for (const other of await Promise.all(told)) assert.equal(other, slot, text(pattern));
      matched += keys.length;
    }
    assert.ok(matched > 1000, String(matched));
  });

  it('send scan() to the owner of their slot alone', async () => {
    for (const pattern of BOUND) {
      const slot = patternSlot(pattern) as number;
      const before = await scanCalls(otherThan(slot));
      await scanned(pattern);
      assert.equal(await scanCalls(otherThan(slot)), before, text(pattern));
    }
  });

  it('make a server look at the keys of their slot alone', async (t: TestContext) => {
    if (blind) return t.skip(blind);
    for (const pattern of BOUND) {
      const slot = patternSlot(pattern) as number;
      const { keys, calls, cursors } = await scanOf(ownerOf(slot), pattern);
      assert.deepEqual(sorted(keys), found(pattern), text(pattern));
      const present = await ownerOf(slot).ask('CLUSTER', 'COUNTKEYSINSLOT', slot);
      assert.ok(calls <= 1 + present / (COUNT / 2), `${text(pattern)}: ${calls} for ${present}`);
      // The servers keep the number of the slot in the lowest bits of a cursor.
      for (const cursor of cursors) assert.equal(cursor & 16383n, BigInt(slot), text(pattern));
      assert.ok(present < 10 * COUNT || cursors.length > 0, text(pattern));
    }
  });

  it('cost scan() no more than the keys of their slot', async (t: TestContext) => {
    if (blind) return t.skip(blind);
    for (const pattern of BOUND) {
      const slot = patternSlot(pattern) as number;
      const owner = ownerOf(slot);
      const present = await owner.ask('CLUSTER', 'COUNTKEYSINSLOT', slot);
      const before = await scanCalls(owner);
      assert.deepEqual(await scanned(pattern, COUNT), found(pattern), text(pattern));
      const calls = (await scanCalls(owner)) - before;
      assert.ok(calls <= 1 + present / (COUNT / 2), `${text(pattern)}: ${calls} for ${present}`);
    }
  });

  it('make a server look at all its keys where they have no slot', async () => {
    for (const node of servers.primaries) {
      const { calls } = await scanOf(node, Buffer.from('*{user:7}*'));
      // A call ends after ten places per key that was asked for.
      assert.ok(calls > KEYS / 3 / (COUNT * 10), String(calls));
    }
  });
});

/** All that SCAN gives on one node, with the cursors on the way. */
async function scanOf(node: ClusterNode, pattern: Buffer) {
  const keys: Buffer[] = [];
  const cursors: bigint[] = [];
  let cursor = '0';
  let calls = 0;
  do {
    const asked = ['MATCH', pattern, 'COUNT', COUNT];
    const page = await node.control.callBuffer('SCAN', cursor, ...asked);
    const [next, some] = page as [Buffer, Buffer[]];
    cursor = String(next);
    keys.push(...some);
    if (cursor !== '0') cursors.push(BigInt(cursor));
    calls++;
  } while (cursor !== '0');
  return { keys, calls, cursors };
}

async function scanCalls(node: ClusterNode): Promise<number> {
  const stats = String(await node.ask('INFO', 'commandstats'));
  return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** SORT tells whether the server infers slots from patterns, as what it does with SCAN is tested. */
async function withoutInference(servers: TestCluster): Promise<string | false> {
  try {
    await servers.primaries[0]?.ask('SORT', '{user:7}', 'GET', '{user:7}*');
    return false;
  } catch (error) {
    assert.match(String(error), /GET option of SORT denied in cluster mode/i);
    const version = /(?:redis|valkey)_version:[\d.]+/g;
    const told = String(await servers.primaries[0]?.ask('INFO', 'server')).match(version);
    return `${told?.join(', ')} infers no slot from a pattern`;
  }
}
