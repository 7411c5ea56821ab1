import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  explainKey,
  type Key,
  keySlot,
  keySlots,
  patternSlot,
  SlotMap,
  slotTag,
  TopologyError,
} from 'redslot-wasm';

// A failure names its seed, with which it can be repeated.
fc.configureGlobal({ numRuns: Number(process.env.REDSLOT_RUNS ?? 200) });

/** The checksum bit by bit: CRC-16/XMODEM, polynomial 0x1021. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
    crc &= 0xffff;
  }
  return crc;
}

/** The tag by a walk over the bytes, as the cluster specification words it. */
function naiveSlot(key: Uint8Array): number {
  let open = 0;
  while (open < key.length && key[open] !== 0x7b) open++;
  let close = open + 1;
  while (close < key.length && key[close] !== 0x7d) close++;
  const tagged = close < key.length && close > open + 1;
  return crc16(tagged ? key.slice(open + 1, close) : key) % 16384;
}

/** By the walk of the servers: a special character before the end of a tag leaves no one slot. */
function naivePatternSlot(pattern: string): number | null {
  let open = -1;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if ('*?[\\'.includes(character)) return null;
    if (character === '{' && open < 0) open = at;
    if (character !== '}' || open < 0) continue;
    if (at > open + 1) return naiveSlot(Buffer.from(pattern.slice(open, at + 1)));
    // An empty tag does not count, and none after it does.
    return /[*?[\\]/.test(pattern) ? null : naiveSlot(Buffer.from(pattern));
  }
  return naiveSlot(Buffer.from(pattern));
}

const braced = (size: number) =>
  fc
    .array(fc.oneof(fc.constantFrom('{', '}', '한', '\ud800', '\udc00'), fc.string()), {
      maxLength: size,
    })
    .map((parts) => parts.join(''));
const text = fc.oneof(fc.string({ unit: 'binary' }), braced(12));
const bytes = fc.oneof(
  fc.uint8Array(),
  text.map((key) => new Uint8Array(Buffer.from(key))),
);

/** The same bytes behind each kind of view that can hold them. */
function views(content: Uint8Array): Key[] {
  const around = new Uint8Array(content.length + 2).fill(0x7b);
  around.set(content, 1);
  const shared = new Uint8Array(new SharedArrayBuffer(content.length));
  shared.set(content);
  const { buffer } = new Uint8Array(content);
  return [
    Buffer.from(content),
    around.subarray(1, -1),
    new DataView(around.buffer, 1, content.length),
    new Int8Array(around.buffer, 1, content.length),
    buffer,
    shared,
    shared.buffer,
  ];
}

describe('any key', () => {
  it('has the slot of a walk over its bytes, as text, alone, in a batch and explained', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (key, others) => {
        const slot = naiveSlot(Buffer.from(key));
        assert.equal(keySlot(key), slot);
        assert.equal(keySlot(Buffer.from(key)), slot);
        assert.equal(keySlots([key])[0], slot);
        assert.equal(keySlots([...others, key, ...others])[others.length], slot);
        assert.equal(explainKey(key).slot, slot);
      }),
    );
  });

  it('has the slot of a walk over its bytes behind any view', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const slot = naiveSlot(content);
        const keys = views(content);
        assert.deepEqual(
          keys.map((key) => keySlot(key)),
          keys.map(() => slot),
        );
        assert.deepEqual(
          Array.from(keySlots(keys)),
          keys.map(() => slot),
        );
        for (const key of keys) assert.equal(explainKey(key).slot, slot);
      }),
    );
  });

  it('is explained by a tag that alone has the same slot', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const { slot, tag, hashed } = explainKey(content);
        assert.equal(crc16(hashed) % 16384, slot);
        if (tag === null) assert.deepEqual(hashed, content);
        else assert.deepEqual(hashed, content.slice(tag.start, tag.end));
      }),
    );
  });

  it('as a pattern has the slot that the walk of a server infers', () => {
    const special = fc.constantFrom('*', '?', '[', '\\', '{', '}', 'a', '한');
    const pattern = fc.array(special, { maxLength: 9 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, (glob) => {
        assert.equal(patternSlot(glob), naivePatternSlot(glob));
      }),
    );
  });

  it('with the tag of a slot is on that slot, whatever follows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16383 }), text, (slot, rest) => {
        assert.equal(keySlot(`{${slotTag(slot)}}${rest}`), slot);
        assert.equal(patternSlot(`{${slotTag(slot)}}*${rest}`), slot);
      }),
    );
  });
});

/** A cluster as ranges in the order of slots, each with its owner, -1 for none. */
interface Model {
  readonly ranges: readonly { start: number; end: number; owner: number }[];
  readonly replicas: readonly number[];
}

const model: fc.Arbitrary<Model> = fc
  .record({
    cuts: fc.uniqueArray(fc.integer({ min: 1, max: 16383 }), { maxLength: 12 }),
    owners: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 13, maxLength: 13 }),
    replicas: fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }),
  })
  .map(({ cuts, owners, replicas }) => {
    const starts = [0, ...cuts.sort((a, b) => a - b)];
    const ranges = starts.map((start, at) => ({
      start,
      end: (starts[at + 1] ?? 16384) - 1,
      owner: owners[at] as number,
    }));
    return { ranges, replicas };
  })
  .filter(({ ranges }) => ranges.some(({ owner }) => owner >= 0));

const host = (node: number) => `192.0.2.${node}`;
const id = (node: number) => `node-${node}`;
/** Numbers of the replicas of a primary, which no other node has. */
const replicasOf = ({ replicas }: Model, owner: number) =>
  Array.from({ length: replicas[owner] as number }, (_, at) => 10 + owner * 4 + at);

function served({ ranges }: Model, owner: number) {
  return ranges.filter((range) => range.owner === owner);
}

const OWNERS = [0, 1, 2, 3, 4];

function slotsReply(cluster: Model): unknown[] {
  const node = (number: number) => [host(number), 7000 + number, id(number), []];
  return cluster.ranges
    .filter(({ owner }) => owner >= 0)
    .map(({ start, end, owner }) => [
      start,
      end,
      ...[owner, ...replicasOf(cluster, owner)].map(node),
    ]);
}

function shardsReply(cluster: Model): unknown[] {
  const node = (number: number, role: string) =>
    Object.entries({
      id: id(number),
      port: 7000 + number,
      endpoint: host(number),
      role,
      health: 'online',
    }).flat();
  return OWNERS.map((owner) => [
    'slots',
    served(cluster, owner).flatMap(({ start, end }) => [start, end]),
    'nodes',
    [node(owner, 'master'), ...replicasOf(cluster, owner).map((one) => node(one, 'replica'))],
  ]);
}

function nodesReply(cluster: Model): string {
  const line = (number: number, flags: string, primary: string, ranges: string) =>
    `${id(number)} ${host(number)}:${7000 + number}@17000 ${flags} ${primary} 0 0 1 connected${ranges}\n`;
  const lines = OWNERS.flatMap((owner) => [
    ...replicasOf(cluster, owner).map((one) => line(one, 'slave', id(owner), '')),
    line(
      owner,
      'master',
      '-',
      served(cluster, owner)
        .map(({ start, end }) => ` ${start}-${end}`)
        .join(''),
    ),
  ]);
  return lines.join('');
}

describe('any cluster', () => {
  it('is the same by SLOTS, SHARDS, NODES, as JSON text and saved', () => {
    fc.assert(
      fc.property(model, (cluster) => {
        const map = SlotMap.fromSlots(slotsReply(cluster));
        for (const { start, end, owner } of cluster.ranges) {
          const expected = owner < 0 ? undefined : `${host(owner)}:${7000 + owner}`;
          for (const slot of [start, end]) assert.equal(map.ownerOf(slot)?.endpoint, expected);
        }
        for (const primary of map.primaries) {
          const owner = Number(primary.id?.slice(5));
          assert.deepEqual(
            primary.replicas.map((replica) => replica.id),
            replicasOf(cluster, owner).map(id),
          );
        }
        assert.deepEqual(SlotMap.fromShards(shardsReply(cluster)), map);
        assert.deepEqual(SlotMap.fromNodes(nodesReply(cluster)), map);
        assert.deepEqual(SlotMap.parse(nodesReply(cluster)), map);
        assert.deepEqual(SlotMap.parse(JSON.stringify(shardsReply(cluster))), map);
        assert.deepEqual(SlotMap.fromJSON(JSON.parse(JSON.stringify(map))), map);
        assert.deepEqual(map.diff(SlotMap.fromShards(shardsReply(cluster))), []);
      }),
    );
  });

  it('takes each key of a batch to the owner of its slot, once and in order', () => {
    fc.assert(
      fc.property(model, fc.array(fc.oneof(text, bytes)), (cluster, keys) => {
        const map = SlotMap.fromSlots(slotsReply(cluster));
        const { groups, unowned } = map.partition(keys);
        const ownerOf = (key: Key) => {
          const slot = naiveSlot(typeof key === 'string' ? Buffer.from(key) : (key as Uint8Array));
          return cluster.ranges.find(({ end }) => slot <= end)?.owner as number;
        };
        const found = new Array<string>(keys.length).fill('');
        for (const { node, indices } of groups) {
          assert.deepEqual(
            Array.from(indices),
            Array.from(indices).sort((a, b) => a - b),
          );
          for (const at of indices) found[at] = `${found[at]}${node.id}`;
        }
        for (const at of unowned) found[at] += 'none';
        assert.deepEqual(
          found,
          keys.map((key) => (ownerOf(key) < 0 ? 'none' : id(ownerOf(key)))),
        );
      }),
    );
  });
});

const PARSERS = [
  SlotMap.fromSlots,
  SlotMap.fromShards,
  SlotMap.fromNodes,
  SlotMap.fromJSON,
  SlotMap.parse as (text: unknown) => SlotMap,
];

/** Reads by each parser; whatever comes of it is a map or a TopologyError. */
function readByAll(reply: unknown): void {
  for (const parse of PARSERS) {
    try {
      assert.equal(parse(reply).primaries.length > 0, true);
    } catch (error) {
      if (!(error instanceof TopologyError)) throw error;
    }
  }
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** A copy of a reply in which one of its parts is another value. */
function altered(reply: unknown, path: readonly number[], value: unknown): unknown {
  if (!Array.isArray(reply) || reply.length === 0 || path.length === 0) return value;
  const copy: unknown[] = [...reply];
  const at = (path[0] as number) % copy.length;
  copy[at] = altered(copy[at], path.slice(1), value);
  return copy;
}

describe('any value', () => {
  it('is a map or a TopologyError', () => {
    fc.assert(fc.property(fc.oneof(anything, fc.jsonValue()), readByAll));
  });

  it('in the place of a part of a reply leaves a map or a TopologyError', () => {
    const path = fc.array(fc.nat(20), { maxLength: 5 });
    const reply = fc.oneof(model.map(slotsReply), model.map(shardsReply));
    fc.assert(
      fc.property(reply, path, anything, (whole, where, value) => {
        readByAll(altered(whole, where, value));
      }),
    );
  });

  it('as text is a map or a TopologyError, also within a reply', () => {
    const printed = fc.oneof(
      model.map(nodesReply),
      model.map((cluster) => JSON.stringify(slotsReply(cluster))),
    );
    fc.assert(
      fc.property(printed, fc.nat(), fc.nat(9), text, (whole, at, cut, other) => {
        const from = at % whole.length;
        readByAll(whole.slice(0, from) + other + whole.slice(from + cut));
        readByAll(other);
      }),
    );
  });
});
