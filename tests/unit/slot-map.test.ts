import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { type Key, keySlot, type Primary, SlotMap, TopologyError } from 'redslot-wasm';
import { evenMap } from './support.js';

const shares = (parts: { groups: readonly { node: Primary; indices: Uint32Array }[] }) =>
  parts.groups.map(({ node, indices }) => [node.id, Array.from(indices)]);

/** 16384 single-slot ranges, dealt out to `primaries` primaries in turn. */
function scattered(primaries: number): SlotMap {
  const reply = Array.from({ length: 16384 }, (_, slot) => {
    const owner = slot % primaries;
    return [slot, slot, [`10.0.${owner >> 8}.${owner & 255}`, 6379, `n${owner}`]];
  });
  return SlotMap.fromSlots(reply);
}

describe('SlotMap.partition', () => {
  it('puts foo, bar and hello of the 5500/11000 split where the cluster tutorial puts them', () => {
    const map = SlotMap.fromSlots([
      [0, 5500, ['h', 7000, 'a']],
      [5501, 11000, ['h', 7001, 'b']],
      [11001, 16383, ['h', 7002, 'c']],
    ]);
    const parts = map.partition(['foo', 'bar', 'hello']);
    assert.deepEqual(shares(parts), [
      ['a', [1, 2]],
      ['c', [0]],
    ]);
    assert.equal(parts.groups[0]?.node, map.primaries[0]);
  });

  it('reports keys of a primary whose address the server has lost as unowned', () => {
    for (const lost of [
      ['', 0, 'b'],
      ['', 0, 'b', []],
      ['n', 0, 'b', ['ip', '']],
    ]) {
      const map = SlotMap.fromSlots([
        [0, 8191, ['h', 1, 'a']],
        [8192, 16383, lost],
      ]);
      assert.deepEqual(map.gaps, [[8192, 16383]]);
      const { groups, unowned } = map.partition(['foo', 'bar']);
      assert.deepEqual([shares({ groups }), Array.from(unowned)], [[['a', [1]]], [0]]);
    }
    const known = ['', 0, 'b', ['ip', '192.0.2.1']];
    assert.throws(() => SlotMap.fromSlots([[0, 16383, known]]), TopologyError);
  });

  it('reports keys in a hole as unowned and places the others', () => {
    const map = SlotMap.fromSlots([
      [0, 5060, ['h', 1, 'a']],
      [5062, 16383, ['h', 2, 'b']],
    ]);
    const parts = map.partition(['foo', 'bar', 'hello']);
    assert.deepEqual(shares(parts), [
      ['a', [2]],
      ['b', [0]],
    ]);
    assert.deepEqual(Array.from(parts.unowned), [1]);
    assert.deepEqual(map.gaps, [[5061, 5061]]);
    assert.equal(map.nodeFor('bar'), null);
  });

  it('holds every index exactly once and in order, for any keys and any number of primaries', () => {
    const maps = [evenMap(), scattered(7), scattered(1000), SlotMap.fromSlots([[5, 9, ['h', 1]]])];
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 60 }),
        fc.constantFrom(...maps),
        (keys, map) => {
          const { groups, unowned } = map.partition(keys);
          const naive = (node: Primary | null) =>
            keys.flatMap((key, at) => (map.ownerOf(keySlot(key)) === node ? [at] : []));
          for (const { node, indices } of groups)
            assert.deepEqual(Array.from(indices), naive(node));
          assert.deepEqual(Array.from(unowned), naive(null));
          const all = [...groups.flatMap(({ indices }) => Array.from(indices)), ...unowned];
          assert.deepEqual(
            all.sort((a, b) => a - b),
            Array.from(keys.keys()),
          );
        },
      ),
    );
  });

  it('joins the chunks of a batch that takes several crossings', () => {
    const keys = Array.from({ length: 70_000 }, (_, at) => `key:${at}`);
    for (const map of [evenMap(), scattered(1000)]) {
      const seen = new Uint8Array(keys.length);
      for (const { node, indices } of map.partition(keys).groups) {
        let before = -1;
        for (const at of indices) {
          assert.ok(at > before && map.nodeFor(keys[at] as string) === node);
          seen[at] = (seen[at] as number) + 1;
          before = at;
        }
      }
      assert.ok(seen.every((times) => times === 1));
    }
  });

  it('works with as many primaries as there are slots', () => {
    const map = scattered(16384);
    const { groups } = map.partition(['foo', 'bar', '{06S}']);
    assert.deepEqual(
      groups.map(({ node }) => node.id),
      ['n0', 'n5061', 'n12182'],
    );
    const last = map.route(['foo', 'aa', 'cc'], [1, 0, 2]);
    assert.deepEqual([Array.from(last.keyless), Array.from(last.crossSlot)], [[1], [2]]);
  });

  it('keeps every position of a key that comes several times, case 17', () => {
    const { groups } = evenMap().partition(['k1', 'k2', 'k1', 'k3']);
    assert.deepEqual(
      groups.map(({ node, indices }) => [node.id, Array.from(indices)]),
      [
        ['p1', [1, 3]],
        ['p3', [0, 2]],
      ],
    );
  });

  it('gives no groups for no keys', () => {
    assert.deepEqual(evenMap().partition([]), { groups: [], unowned: new Uint32Array(0) });
  });
});

describe('SlotMap.route', () => {
  it('tells keyless, unowned and cross-slot commands apart', () => {
    const map = SlotMap.fromSlots([
      [0, 5060, ['h', 1, 'a']],
      [5062, 16383, ['h', 2, 'b']],
    ]);
    const keys = ['foo', 'aa', 'cc', 'bar', 'bar', '{aa}x', 'aa'];
    const routing = map.route(keys, [1, 2, 0, 2, 2]);
    assert.deepEqual(Array.from(routing.slots), [12182, 1180, -1, 5061, 1180]);
    assert.deepEqual(shares(routing), [
      ['a', [4]],
      ['b', [0]],
    ]);
    assert.deepEqual(Array.from(routing.keyless), [2]);
    assert.deepEqual(Array.from(routing.unowned), [3]);
    // Both keys on one node, but in slots 1180 and 700: the server would say CROSSSLOT.
    assert.deepEqual(Array.from(routing.crossSlot), [1]);
    assert.deepEqual(Array.from(routing.keySlots), [12182, 1180, 700, 5061, 5061, 1180, 1180]);
  });

  it('looks at every key of a command that alone is larger than a chunk', () => {
    const same = Array.from({ length: 40_000 }, (_, at) => `{a}${at}`);
    const routing = evenMap().route([...same, 'foo', ...same, 'b'], [40_000, 1, 40_001]);
    assert.deepEqual(shares(routing), [['p3', [0, 1]]]);
    assert.deepEqual(Array.from(routing.crossSlot), [2]);
    assert.deepEqual(Array.from(routing.slots), [15495, 12182, 15495]);
  });

  it('routes a hundred thousand commands as it routes each alone', () => {
    const counts = Array.from({ length: 30_000 }, (_, at) => at % 4);
    const keys = counts.flatMap((count, at) => Array.from({ length: count }, () => `{${at}}`));
    const map = evenMap();
    const routing = map.route(keys, counts);
    assert.equal(routing.keyless.length, 7_500);
    for (const { node, indices } of routing.groups) {
      for (const at of indices) assert.equal(map.nodeFor(`{${at}}`), node);
    }
  });

  it('reads each count once, before it uses any', () => {
    const map = evenMap();
    const other = SlotMap.fromSlots([[0, 16383, ['h', 1]]]);
    let reads = 0;
    const counts = new Proxy([1, 1, 1], {
      get(target, name) {
        if (name !== '1') return Reflect.get(target, name);
        other.partition(['foo', 'bar', 'hello']);
        return reads++ === 0 ? 1 : 1_000_000;
      },
    });
    assert.deepEqual(shares(map.route(['foo', 'bar', 'hello'], counts)), [
      ['p1', [1, 2]],
      ['p3', [0]],
    ]);
  });

  it('refuses counts that do not add up', () => {
    const map = evenMap();
    assert.throws(
      () => map.route(['a'], [2]),
      /RangeError: counts add up to 2 keys, but there are 1/,
    );
    assert.throws(() => map.route(['a'], [-1, 2]), /RangeError: counts\[0\] is -1/);
    assert.throws(() => map.route(['a'], [0.5, 0.5]), RangeError);
  });
});

describe('SlotMap.explain', () => {
  const keysOf = (_: string, args: readonly unknown[]) => args as Key[];

  it('shows the pieces of a command that can be split, in order of first appearance', () => {
    const map = evenMap();
    const [told] = map.explain([['mget', 'foo', 'bar', '{foo}x']], { keysOf });
    assert.deepEqual(told?.pieces, [
      { slot: 12182, node: map.primaries[2], keys: [0, 2] },
      { slot: 5061, node: map.primaries[0], keys: [1] },
    ]);
    assert.deepEqual([told?.node, told?.refused], [null, null]);
  });

  it('names the one node of pieces that all go there', () => {
    const map = evenMap();
    const [told] = map.explain([['DEL', 'aa', 'cc']], { keysOf });
    assert.deepEqual(
      told?.pieces.map(({ slot }) => slot),
      [1180, 700],
    );
    assert.equal(told?.node, map.primaries[0]);
  });

  it('refuses other commands over two slots, naming keys and slots', () => {
    const [told] = evenMap().explain([['rename', '{a}:wait', '{b}:wait']], { keysOf });
    assert.equal(told?.refused?.code, 'CROSS_SLOT');
    assert.match(
      told?.refused?.reason ?? '',
      /"\{a\}:wait" is in slot 15495 and "\{b\}:wait" in slot 3300/,
    );
    assert.deepEqual(told?.keys[0], { key: '{a}:wait', slot: 15495, tag: { start: 1, end: 2 } });
  });

  it('sends a command without keys to the first primary', () => {
    const map = evenMap();
    const [told] = map.explain([['ping']], { keysOf });
    assert.deepEqual(told, {
      name: 'ping',
      keys: [],
      node: map.primaries[0],
      pieces: [],
      refused: null,
    });
  });

  it('refuses a command, or a piece of one, on a slot without an owner', () => {
    const map = SlotMap.fromSlots([
      [0, 5060, ['h', 1]],
      [5062, 16383, ['h', 2]],
    ]);
    const told = map.explain(
      [
        ['get', 'bar'],
        ['mget', 'foo', 'bar'],
      ],
      { keysOf },
    );
    assert.deepEqual(
      told.map(({ refused }) => refused?.code),
      ['UNOWNED', 'UNOWNED'],
    );
    assert.equal(told[0]?.refused?.reason, 'no primary serves slot 5061, the slot of "bar"');
  });

  it('needs keysOf and commands with a name', () => {
    const map = evenMap();
    assert.throws(() => map.explain([['get', 'a']], {} as never), /TypeError: keysOf is undefined/);
    assert.throws(() => map.explain([[] as never], { keysOf }), /TypeError: commands\[0\]/);
    assert.throws(() => map.explain({ length: 1 } as never, { keysOf }), /TypeError: commands is/);
  });

  it('names the command of what is no key', () => {
    const commands = [
      ['get', 'a'],
      ['mget', 'a', 5],
    ] as const;
    assert.throws(
      () => evenMap().explain(commands, { keysOf }),
      /^TypeError: keysOf of commands\[1\]\[1\] is a number/,
    );
  });
});

describe('a SlotMap', () => {
  it('survives JSON', () => {
    const map = evenMap();
    const back = SlotMap.fromJSON(JSON.parse(JSON.stringify(map)));
    assert.deepEqual(back.primaries, map.primaries);
    assert.deepEqual(map.diff(back), []);
  });

  it('makes its primaries once, and is compared and copied by them', () => {
    const map = evenMap();
    assert.equal(map.primaries, map.primaries);
    assert.deepEqual(Object.keys(map).sort(), ['conflicts', 'gaps', 'primaries']);
    assert.deepEqual(map, evenMap());
    assert.notDeepEqual(map, scattered(3));
    assert.deepEqual({ ...map }.primaries, evenMap().primaries);
    assert.deepEqual(map.primaries[0], {
      id: 'p1',
      host: '192.0.2.1',
      port: 7000,
      endpoint: '192.0.2.1:7000',
      ranges: [[0, 5460]],
      replicas: [{ id: 'r1', host: '192.0.2.4', port: 7003, endpoint: '192.0.2.4:7003' }],
    });
    const parts = [map.primaries, map.primaries[0], map.primaries[0]?.ranges];
    const deeper = [map.primaries[0]?.ranges[0], map.primaries[0]?.replicas[0]];
    for (const part of [...parts, ...deeper]) assert.ok(Object.isFrozen(part));
  });

  it('is printed with its primaries', () => {
    const printed = inspect(SlotMap.fromSlots([[0, 99, ['h', 1, 'id']]]), { depth: null });
    assert.match(printed, /^SlotMap \{/);
    for (const part of ["endpoint: 'h:1'", 'ranges: [ [ 0, 99 ] ]', 'gaps: [ [ 100, 16383 ] ]']) {
      assert.ok(printed.includes(part), printed);
    }
  });

  it('is compared with one of another copy of the package', () => {
    const map = evenMap();
    const require = createRequire(import.meta.url);
    const theirs = require('redslot-wasm').SlotMap.fromJSON(map);
    assert.ok(!(theirs instanceof SlotMap));
    assert.deepEqual(map.diff(theirs), []);
    assert.deepEqual(theirs.diff(map), []);
  });

  it('refuses to be compared with anything else, and goes on working', () => {
    const map = evenMap();
    for (const bad of [null, undefined, {}, 5, { primaries: [{ port: 0, ranges: [] }] }]) {
      assert.throws(() => map.diff(bad as never), TopologyError);
    }
    assert.deepEqual(map.diff(map), []);
  });

  it('cannot be changed', () => {
    const map = evenMap();
    const [primary] = map.primaries as Primary[];
    assert.throws(() => Object.assign(primary as Primary, { port: 1 }), TypeError);
    assert.throws(() => (map.primaries as Primary[]).push(primary as Primary), TypeError);
    assert.throws(() => Object.assign(map, { gaps: [] }), TypeError);
  });

  it('tells what moved to a newer one', () => {
    const newer = SlotMap.fromSlots([
      [0, 5460, ['192.0.2.1', 7000, 'p1']],
      [5461, 10922, ['192.0.2.2', 7001, 'p2']],
      [10923, 13512, ['192.0.2.3', 7002, 'p3']],
      [13513, 13513, ['192.0.2.1', 7000, 'p1']],
      [13514, 16383, ['192.0.2.3', 7002, 'p3']],
    ]);
    const older = evenMap();
    const moves = older.diff(newer);
    assert.deepEqual(moves, [
      { start: 13513, end: 13513, from: older.primaries[2], to: newer.primaries[0] },
    ]);
    assert.deepEqual(newer.primaries[0]?.ranges, [
      [0, 5460],
      [13513, 13513],
    ]);
  });

  it('gives contested slots to nobody and names the claimants', () => {
    const map = SlotMap.fromSlots([
      [0, 100, ['h', 1, 'a']],
      [50, 16383, ['h', 2, 'b']],
    ]);
    const [a, b] = map.primaries;
    assert.deepEqual(map.conflicts, [{ start: 50, end: 100, owners: [a, b] }]);
    assert.deepEqual([map.ownerOf(49), map.ownerOf(50), map.ownerOf(101)], [a, null, b]);
  });

  it('refuses what is no slot', () => {
    assert.throws(() => evenMap().ownerOf(16384), RangeError);
  });

  it('takes the fallback host for a null host, and none for an unknown one', () => {
    const map = SlotMap.fromSlots(
      [
        [0, 1, [null, 1]],
        [2, 3, ['', 2]],
        [4, 16383, ['?', 3]],
      ],
      { fallbackHost: '192.0.2.9' },
    );
    assert.deepEqual(
      map.primaries.map(({ endpoint }) => endpoint),
      ['192.0.2.9:1', '192.0.2.9:2', null],
    );
  });

  it('reads the same from numbers, which are packed, as from numeric strings', () => {
    const port = fc.oneof(fc.constantFrom(7000, 7001, 7002), fc.integer({ max: 70_000 }));
    const name = fc.constantFrom('a', 'b', '', '?', 'a\nb', 'é𝄞', '\ud800');
    const metadata = fc.constantFrom<unknown[]>(
      [],
      [[]],
      [['hostname', 'x']],
      [null],
      [[5]],
      [[], 5],
    );
    const node = fc
      .tuple(name, port, fc.option(name), metadata)
      .map(([host, port, id, rest]) => [host, port, id, ...rest]);
    const slot = fc.oneof(fc.integer({ min: 0, max: 16383 }), fc.integer({ min: -1, max: 16384 }));
    const entry = fc
      .tuple(slot, fc.integer({ min: 0, max: 300 }), fc.array(node, { maxLength: 9 }))
      .map(([start, more, nodes]) => [start, start + more, ...nodes]);
    const read = (reply: unknown[]) => {
      try {
        const { primaries, gaps, conflicts } = SlotMap.fromSlots(reply, { fallbackHost: 'f' });
        return { primaries, gaps, conflicts };
      } catch (error) {
        return { entry: (error as TopologyError).entry };
      }
    };
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (reply) => {
        const strings = reply.map(([start, ...rest]) => [String(start), ...rest]);
        assert.deepEqual(read(reply), read(strings));
      }),
      { numRuns: 500 },
    );
  });

  it('reads a reply with more nodes per entry than are packed', () => {
    const nodes = Array.from({ length: 20 }, (_, at) => ['h', at + 1, `n${at}`, []]);
    const map = SlotMap.fromSlots([[0, 16383, ...nodes]]);
    assert.equal(map.primaries[0]?.replicas.length, 19);
  });

  it('reads Buffers, numeric strings and maps', () => {
    const buffers = SlotMap.fromSlots([['0', '16383', [Buffer.from('h'), '7', Buffer.from('id')]]]);
    assert.equal(buffers.primaries[0]?.id, 'id');
    const node = {
      id: 'a',
      port: 7,
      ip: '192.0.2.1',
      endpoint: '192.0.2.1',
      role: 'master',
      health: 'online',
    };
    const shard = new Map<string, unknown>([
      ['slots', [0, 16383]],
      ['nodes', [node]],
    ]);
    assert.equal(SlotMap.fromShards([shard]).primaries[0]?.endpoint, '192.0.2.1:7');
    const line = 'a 192.0.2.1:7@17 myself,master - 0 0 1 connected 0-16383';
    assert.equal(SlotMap.fromNodes(Buffer.from(`${line}\n`)).primaries[0]?.id, 'a');
    assert.equal(SlotMap.parse(`${line}\n`).primaries[0]?.id, 'a');
  });
});

describe('SlotMap.parse', () => {
  it('reads a reply as util.inspect prints it, whatever its strings hold', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.stringMatching(/^['"`\\\n$ ]{1,4}$/),
    );
    const node = fc.tuple(fc.domain(), fc.integer({ min: 1, max: 65535 }), text);
    const entries = fc
      .array(node, { minLength: 1, maxLength: 120 })
      .map((nodes) =>
        nodes.map(([host, port, id], at) => [at, at, [host, port, `${at}${id}`, { 'a-b': [id] }]]),
      );
    const settings = fc.record({
      colors: fc.boolean(),
      compact: fc.constantFrom(false, true, 3),
      breakLength: fc.constantFrom(20, 80, Number.POSITIVE_INFINITY),
      depth: fc.constantFrom(2, 3, null),
    });
    fc.assert(
      fc.property(entries, settings, (reply, options) => {
        const printed = inspect(reply, { ...options, maxArrayLength: null });
        assert.deepEqual(SlotMap.parse(printed).toJSON(), SlotMap.fromSlots(reply).toJSON());
      }),
    );
  });
});

describe('a bad reply', () => {
  const throwing = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('gotcha');
    },
  });
  const endless: unknown[] = [];
  endless.push(endless);
  const bad: [unknown, number | null][] = [
    [[[]], 0],
    [[[0, 5460]], 0],
    [
      [
        [0, 1, ['h', 1]],
        [5, 1, ['h', 1]],
      ],
      1,
    ],
    [[[0, 16384, ['h', 1]]], 0],
    [[[-1, 5, ['h', 1]]], 0],
    [[[0, 1.5, ['h', 1]]], 0],
    [[[0, 1, ['h', 0]]], 0],
    [[[0, 1, ['h', 1]], null], 1],
    [[], null],
    [null, null],
    [undefined, null],
    ['0-5460', null],
    [new Error('ERR cluster support disabled'), null],
    [[throwing], 0],
    [[[0, 1, ['h', 1]], endless], 1],
    [[[0, 1, ['h', () => 1]]], 0],
    [
      new Proxy([], {
        get: () => {
          throw new Error('gotcha');
        },
      }),
      null,
    ],
  ];

  it('is a TopologyError with its entry, and the next good one is read', () => {
    for (const [reply, entry] of bad) {
      assert.throws(
        () => SlotMap.fromSlots(reply),
        (error) =>
          error instanceof TopologyError && error.entry === entry && error.reason.length > 0,
      );
      assert.equal(evenMap().primaries.length, 3);
    }
  });

  it('names the line of a text', () => {
    assert.throws(
      () => SlotMap.fromNodes('a 192.0.2.1:7@17 master - 0 0 1 connected 0-16383\nnonsense\n'),
      (error) => error instanceof TopologyError && error.line === 2,
    );
  });

  it('names bytes that spell no text, and reads lone surrogates as a server would', () => {
    const bytes = Buffer.from([0xff, 0xfe]);
    const reason = /expected text, found 2 bytes that are not UTF-8$/;
    assert.throws(() => SlotMap.fromSlots([[0, 1, [bytes, 1]]]), reason);
    assert.throws(() => SlotMap.fromNodes(bytes), reason);
    const map = SlotMap.fromSlots([[0, 16383, ['h', 1, 'a\ud800']]]);
    assert.equal(map.primaries[0]?.id, 'a\ufffd');
  });

  it('may hold numbers of any size', () => {
    const ports = [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 2 ** 53, 6379.5, -0, 10n ** 40n];
    for (const port of ports) {
      assert.throws(
        () => SlotMap.fromSlots([[0, 1, ['h', port]]]),
        /^TopologyError: entry 0: primary: expected a port in 1\.\.=65535, found /,
      );
    }
    assert.equal(SlotMap.fromSlots([[0n, 16383n, ['h', 6379n]]]).primaries[0]?.port, 6379);
  });

  it('does not reach a prototype', () => {
    const saved = JSON.parse(
      '{"__proto__":{"polluted":1},"primaries":[{"__proto__":{"polluted":1}}]}',
    );
    assert.throws(() => SlotMap.fromJSON(saved), TopologyError);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    const map = SlotMap.fromSlots([[0, 16383, ['__proto__', 1, '__proto__']]]);
    assert.equal(map.primaries[0]?.endpoint, '__proto__:1');
  });
});
