import assert from 'node:assert/strict';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { afterEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { keySlot, SlotMap, TopologyError } from 'redslot-wasm';
import { evenMap } from './support.js';

const before = evenMap();
const saved = JSON.stringify(before);

/** What holds after whatever was read: no prototype touched, older maps as they were. */
function nothingBroke(): void {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.equal(JSON.stringify(before), saved);
  assert.equal(before.nodeFor('foo')?.id, 'p3');
  assert.equal(keySlot('foo'), 12182);
  assert.deepEqual(evenMap(), before);
}

function refused(call: () => unknown, reason: RegExp): void {
  assert.throws(call, (error) => {
    assert.ok(error instanceof TopologyError, String(error));
    assert.match(error.message, reason);
    return true;
  });
}

const MEGABYTES = 10_000_000;
const entry = (at: number) => [
  at % 16384,
  at % 16384,
  [`192.0.2.${at % 3}`, 7000, `n${at % 3}`, []],
];
const shard = (at: number) => ({
  slots: [at % 16384, at % 16384],
  nodes: [{ id: `n${at % 3}`, port: 7000, endpoint: `192.0.2.${at % 3}`, role: 'master' }],
});
const line = (at: number) =>
  `n${at % 3} 192.0.2.${at % 3}:7000@1 master - 0 0 1 connected ${at % 16384}`;
const many = <T>(count: number, item: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => item(at));

describe('a reply of extreme size', () => {
  afterEach(nothingBroke);

  it('of a million ranges is answered, or refused by its size', () => {
    const million = 1_000_000;
    const size = /expected at most 2097152 values, found more$/;
    refused(() => SlotMap.fromSlots(many(million, entry)), size);
    refused(() => SlotMap.fromShards(many(million, shard)), size);
    const slots = many(million, (at) => [at % 16384, at % 16384]).flat();
    const nodes = [['id', 'a', 'port', 7000, 'endpoint', 'h', 'role', 'master']];
    const [primary] = SlotMap.fromShards([['slots', slots, 'nodes', nodes]]).primaries;
    assert.deepEqual(primary?.ranges, [[0, 16383]]);
    const map = SlotMap.fromNodes(many(million, line).join('\n'));
    // Slot 0 comes in lines 0, 16384 and 32768, which are of three nodes.
    assert.deepEqual(
      map.conflicts[0]?.owners.map(({ id }) => id),
      ['n0', 'n1', 'n2'],
    );
    assert.equal(map.ownerOf(0), null);
  });

  it('with more entries than slots unites the ranges of one node and reports the others', () => {
    const one = ['192.0.2.1', 7000, 'a', []];
    const other = ['192.0.2.2', 7000, 'b', []];
    for (const count of [16_385, 65_536, 65_537, 200_000]) {
      const map = SlotMap.fromSlots([...many(count, (at) => [at % 16384, at % 16384, one])]);
      assert.deepEqual(
        map.primaries.map(({ ranges }) => ranges),
        [[[0, 16383]]],
      );
      assert.deepEqual(map.conflicts, []);
      const both = SlotMap.fromSlots([
        ...many(count, (at) => [at % 16384, at % 16384, one]),
        [7, 9, other],
      ]);
      assert.deepEqual(
        both.conflicts.map(({ start, end, owners }) => [start, end, owners.length]),
        [[7, 9, 2]],
      );
    }
  });

  it('of ten megabytes of text is answered in every form', () => {
    const entries = many(100_000, entry);
    const numbered = many(50_000, (at) =>
      [
        `${String(at + 1).padStart(5)}) 1) (integer) ${at % 16384}`,
        `       2) (integer) ${at % 16384}`,
        `       3) 1) "192.0.2.${at % 3}"`,
        '          2) (integer) 7000',
        `          3) "${`n${at % 3}`.padEnd(100, 'x')}"`,
      ].join('\n'),
    );
    const logged = many(
      150_000,
      (at) => `${'-'.repeat(20)} cluster slots result [${at % 2}]: slots ${at % 2} served by x`,
    );
    const forms = [
      JSON.stringify(entries).padEnd(MEGABYTES),
      numbered.join('\n'),
      many(130_000, (at) => line(at).padEnd(80)).join('\n'),
      `[\n${entries.map((each) => `  ${JSON.stringify(each).replaceAll('"', "'")}`).join(',\n')}\n]`.padEnd(
        MEGABYTES,
      ),
      [
        ...logged,
        'cluster slots result count: 1',
        "cluster slots result [0]: slots 0~16383 served by [ '192.0.2.1:7000' ]",
      ].join('\n'),
    ];
    for (const [at, text] of forms.entries()) {
      assert.ok(text.length >= 0.9 * MEGABYTES, `${at}: ${text.length}`);
      assert.deepEqual(SlotMap.parse(text).gaps, [], `${at}`);
    }
  });

  it('of ten megabytes of text that is nothing is refused', () => {
    const texts = [
      'x',
      ' ',
      '[',
      '{',
      "'",
      '"',
      '(',
      '1) ',
      '1#',
      '0\n',
      '0 ',
      '\\',
      '[]',
      '[],',
      '{"a":',
      "'a'+",
      '-',
      '> ',
      '\n',
      '```\n',
      'slots\n',
      'vars x\n',
      'a b:1 ',
      '\ud800',
      '한',
      '\0',
      '[1,',
      '\u001b[',
      '... ',
      'cluster slots result ',
      'cluster slots result [0]: slots 0~1 served by [',
      '<Buffer ',
    ];
    for (const [at, piece] of texts.entries()) {
      const text = piece.repeat((at % 4 === 0 ? MEGABYTES : MEGABYTES / 100) / piece.length);
      for (const whole of at % 4 === 0 ? [text] : [text, `[${text}`, `1) ${text}`]) {
        refused(() => SlotMap.parse(whole), /./);
      }
    }
    refused(() => SlotMap.parse(' '.repeat(2 ** 26 + 1)), /^expected at most 67108864 characters/);
    refused(() => SlotMap.fromNodes('a'.repeat(2 ** 29 - 24)), /^expected at most 67108864 char/);
    refused(() => SlotMap.parse(`[${'[0],'.repeat(5_000_000)}[0]]`), /at most 4194304 words/);
  });

  it('that holds one text many times is refused by its length', () => {
    const host = 'h'.repeat(1_000_000);
    const bytes = Buffer.from(host);
    for (const text of [host, bytes]) {
      const reply = many(100_000, () => [0, 1, [text, '1']]);
      refused(() => SlotMap.fromSlots(reply), /^entry 67: expected at most 67108864 characters/);
    }
  });

  it('nested a hundred thousand levels deep is refused at its depth', () => {
    const depth = 100_000;
    const nest = (wrap: (inner: unknown) => unknown) => {
      let value: unknown = [];
      for (let at = 0; at < depth; at++) value = wrap(value);
      return value;
    };
    for (const deep of [
      nest((inner) => [inner]),
      nest((inner) => [0, 1, inner]),
      nest((inner) => ({ slots: inner })),
      nest((inner) => new Map([['nodes', inner]])),
    ]) {
      refused(() => SlotMap.fromSlots([deep]), /^entry 0: expected at most 12 levels, found more$/);
      refused(
        () => SlotMap.fromShards([deep]),
        /^entry 0: expected at most 12 levels, found more$/,
      );
      refused(() => SlotMap.fromJSON(deep), /expected at most 12 levels, found more$/);
    }
    const texts = ['[', '{"a":', '[0,1,', "['a',", '{ a: ', '1) '];
    for (const open of texts) refused(() => SlotMap.parse(open.repeat(depth)), /deeper than 16/);
  });

  it('costs in proportion to its size', () => {
    const forms: [string, (count: number) => () => unknown][] = [
      [
        'entries',
        (count) => {
          const reply = many(count, (at) => [...entry(at), null]).map(([a, b, c]) => [
            a,
            b,
            c,
            ['x', '1'],
          ]);
          return () => SlotMap.fromSlots(reply);
        },
      ],
      [
        'shards',
        (count) => {
          const reply = many(count, shard);
          return () => SlotMap.fromShards(reply);
        },
      ],
      [
        'lines',
        (count) => {
          const reply = many(count, line).join('\n');
          return () => SlotMap.fromNodes(reply);
        },
      ],
      [
        'printed',
        (count) => {
          const reply = JSON.stringify(many(count, entry)).replaceAll('"', "'");
          return () => SlotMap.parse(reply);
        },
      ],
    ];
    for (const [name, make] of forms) {
      const [small, large] = [cost(make(10_000)), cost(make(80_000))];
      // Eight times as much; quadratic is 64 times as much.
      assert.ok(
        large < 30 * small + 200,
        `${name}: ${small} ms, ${large} ms for eight times as much`,
      );
    }
  });

  it('does not make the engine collect what the caller holds again and again', async () => {
    const reply = many(100_000, shard);
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      for (const collection of list.getEntries()) {
        const { kind } = (collection as unknown as { detail: { kind: number } }).detail;
        if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
      }
    });
    observer.observe({ entryTypes: ['gc'] });
    SlotMap.fromShards(reply);
    await setTimeout(10);
    observer.disconnect();
    // Growing memory step by step makes it some seventy.
    assert.ok(collections < 20, `${collections} collections`);
  });
});

/** Milliseconds of processor time, the lesser of two runs. */
function cost(work: () => unknown): number {
  const runs = [1, 2].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

describe('a reply that runs code', () => {
  afterEach(nothingBroke);

  const thrown = [
    new Error('trap'),
    Symbol('s'),
    null,
    Object.create(null),
    Object.assign(new Error('x'), { message: Symbol('s') }),
    { toString: () => assert.fail() },
    new Proxy({}, { getPrototypeOf: () => assert.fail() }),
  ];

  it('and throws is a TopologyError, whatever it throws', () => {
    for (const what of thrown) {
      const fail = () => {
        throw what;
      };
      const traps = { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail };
      const getter = (name: PropertyKey, on: object) =>
        Object.defineProperty(on, name, { get: fail, enumerable: true });
      for (const reply of [
        new Proxy([], traps),
        [new Proxy([], traps)],
        [[0, 1, new Proxy([], traps)]],
        [getter(0, [0, 1])],
        [[0, 1, getter(1, ['h', 1, 'a'])]],
        [getter('slots', {})],
        [new Map([[getter('x', {}), 1]])],
        getter('primaries', {}),
      ]) {
        for (const parse of [
          SlotMap.fromSlots,
          SlotMap.fromShards,
          SlotMap.fromNodes,
          SlotMap.fromJSON,
        ]) {
          refused(() => parse(reply), /./);
        }
        refused(() => before.diff(reply as never), /./);
      }
    }
  });

  it('and answers differently each time is read as one of its answers, or refused', () => {
    let asked = 0;
    const answers =
      <T>(...all: T[]) =>
      () =>
        all[asked++ % all.length] as T;
    for (let round = 0; round < 7; round++) {
      asked = round;
      const port = answers<unknown>(7000, '7001', null, {});
      const node = Object.defineProperty(['h', 0, 'a'], 1, { get: port, enumerable: true });
      try {
        const [primary] = SlotMap.fromSlots([[0, 16383, node]]).primaries;
        assert.ok([7000, 7001].includes(primary?.port as number));
      } catch (error) {
        assert.ok(error instanceof TopologyError);
      }
    }
  });

  it('and has no end is refused', () => {
    const valid = [0, 16383, ['h', 7000, 'a', []]];
    let asked = 0;
    /** A list whose length is `first` when asked for the first time, and endless later on. */
    const endless = (first: number, item: (name: string) => unknown) =>
      new Proxy([], {
        get(_, name) {
          if (name !== 'length') return item(String(name));
          return asked++ === 0 ? first : Number.POSITIVE_INFINITY;
        },
      });
    const map = SlotMap.fromSlots(endless(3, () => valid));
    assert.deepEqual(map.primaries[0]?.ranges, [[0, 16383]]);
    asked = 1;
    refused(() => SlotMap.fromSlots(endless(3, () => valid)), /at most 2097152 values/);
    const entry = endless(3, (name) => valid[Math.min(Number(name), 2)]);
    refused(() => SlotMap.fromSlots([entry]), /^entry 0: expected at most 2097152 values/);
    const forever = Object.assign(new Map(), {
      *[Symbol.iterator]() {
        for (let at = 0; ; at++) yield [`k${at % 9}`, at];
      },
    });
    refused(() => SlotMap.fromShards([forever]), /^entry 0: expected at most 2097152 values/);
    refused(() => SlotMap.fromSlots(new Array(2 ** 32 - 1)), /at most 2097152 values/);
  });

  it('or holds itself, or what was revoked, is refused', () => {
    const list: unknown[] = [0, 1];
    list.push(list);
    const object: Record<string, unknown> = {};
    object.slots = object;
    object.nodes = [object];
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    for (const reply of [list, [list], object, [object], proxy, [proxy], [[0, 1, proxy]]]) {
      refused(() => SlotMap.fromSlots(reply), /./);
      refused(() => SlotMap.fromShards(reply), /./);
      refused(() => SlotMap.fromJSON(reply), /./);
    }
  });

  it('and reads other topologies meanwhile disturbs none of them', () => {
    const inner: SlotMap[] = [];
    const node = Object.defineProperty(['192.0.2.9', 7000, 'a'], 0, {
      get() {
        inner.push(evenMap());
        keySlot('x'.repeat(200_000));
        return '192.0.2.9';
      },
      enumerable: true,
    });
    assert.equal(SlotMap.fromSlots([[0, 16383, node]]).primaries[0]?.endpoint, '192.0.2.9:7000');
    assert.ok(inner.length > 0);
    for (const map of inner) assert.deepEqual(map, before);
  });
});

describe('a reply with names that mean something to JavaScript', () => {
  afterEach(nothingBroke);
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'length'];

  it('takes them as hosts and ids like any other', () => {
    for (const name of NAMES) {
      const node = { id: name, host: name, port: 7000, endpoint: `${name}:7000` };
      const expected = [{ ...node, ranges: [[0, 16383]], replicas: [] }];
      const fields = Object.entries({ id: name, port: 7000, endpoint: name, role: 'master' });
      const maps = [
        SlotMap.fromSlots([[0, 16383, [name, 7000, name]]]),
        SlotMap.fromShards([['slots', [0, 16383], 'nodes', [fields.flat()]]]),
        SlotMap.fromShards([{ slots: [0, 16383], nodes: [new Map<string, unknown>(fields)] }]),
        SlotMap.fromNodes(`${name} ${name}:7000@1 master - 0 0 1 connected 0-16383`),
        SlotMap.parse(`[[0, 16383, ['${name}', 7000, '${name}']]]`),
        SlotMap.fromJSON({ primaries: expected }),
      ];
      for (const map of maps) assert.deepEqual(map.primaries, expected);
    }
  });

  it('leaves them alone as names of fields', () => {
    for (const name of NAMES) {
      const field = `{"${name}":{"polluted":1,"port":1}}`;
      const shardText = `{"slots":[0,16383],"${name}":${field},"nodes":[{"${name}":${field},"id":"a","port":7000,"endpoint":"h","role":"master"}]}`;
      const expected = SlotMap.fromSlots([[0, 16383, ['h', 7000, 'a']]]);
      assert.deepEqual(SlotMap.fromShards([JSON.parse(shardText)]), expected);
      assert.deepEqual(SlotMap.parse(`[${shardText}]`), expected);
      const nested = new Map<string, unknown>(Object.entries(JSON.parse(shardText)));
      assert.deepEqual(SlotMap.fromShards([nested]), expected);
    }
  });

  it('does not take fields from a prototype', () => {
    const inherited = Object.create({ slots: [0, 16383], nodes: [] });
    refused(() => SlotMap.fromShards([inherited]), /^entry 0: /);
    const own = JSON.parse('{"__proto__":{"primaries":[]}}');
    refused(() => SlotMap.fromJSON(own), /expected the field primaries, found none/);
  });
});

describe('a reply that contradicts itself', () => {
  afterEach(nothingBroke);

  it('by one id at two addresses is refused, with the entry', () => {
    const twice = /^entry 1: .*expected one address per node id, found "a" at "h:1" and at "h:2"$/;
    const reply = [
      [0, 1, ['h', 1, 'a', []]],
      [2, 3, ['h', 2, 'a', []]],
    ];
    refused(() => SlotMap.fromSlots(reply), twice);
    refused(() => SlotMap.parse(JSON.stringify(reply)), twice);
    const lines = [1, 2].map((port) => `a h:${port}@1 master - 0 0 1 connected ${port}`);
    refused(() => SlotMap.fromNodes(lines.join('\n')), /^line 2: expected one address per node id/);
  });

  it('by a port or a slot out of range is refused, with what was found', () => {
    for (const port of [0, -1, 65_536, 2 ** 32 + 7000, 1e300, Number.NaN, '07x', '', null, true]) {
      refused(
        () => SlotMap.fromSlots([[0, 1, ['h', port, 'a', []]]]),
        /^entry 0: primary: expected a port in 1\.\.=65535/,
      );
    }
    for (const slot of [-1, 16_384, 65_536, 2 ** 32, 0.5, 'x', null, [0]]) {
      refused(
        () => SlotMap.fromSlots([[0, slot, ['h', 1, 'a', []]]]),
        /^entry 0: end: expected a slot in 0\.\.=16383/,
      );
    }
    refused(() => SlotMap.fromSlots([[5, 4, ['h', 1, 'a', []]]]), /found 5 to 4$/);
  });
});
