import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  assertSameSlot,
  explainKey,
  type Key,
  keySlot,
  keySlots,
  patternSlot,
  type SlotMap,
  slotTag,
} from 'redslot-wasm';
import { evenMap } from './support.js';

// CLUSTER KEYSLOT gives 12182 for foo, 5061 for bar, 866 for hello.
const map: SlotMap = evenMap();

function revoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy as never;
}

/** A resizable buffer, which the types of this target do not know. */
function resizable(content: string, room: number): ArrayBuffer & { resize(size: number): void } {
  const Resizable = ArrayBuffer as unknown as new (
    size: number,
    options: { maxByteLength: number },
  ) => ArrayBuffer & { resize(size: number): void };
  const buffer = new Resizable(content.length, { maxByteLength: room });
  new Uint8Array(buffer).set(Buffer.from(content));
  return buffer;
}

describe('a hostile key', () => {
  afterEach(() => {
    assert.equal(keySlot('foo'), 12182);
    assert.deepEqual(Array.from(keySlots(['bar', Buffer.from('hello')])), [5061, 866]);
    assert.deepEqual(map.partition(['foo']).groups[0]?.node, map.primaries[2]);
  });

  it('that is no key is a TypeError everywhere', () => {
    const bad = [Symbol('s'), 5n, revoked(), () => 1, new Proxy(new Uint8Array(1), {}), new Date()];
    for (const key of bad as Key[]) {
      for (const call of [keySlot, explainKey, patternSlot, (one: Key) => map.nodeFor(one)]) {
        assert.throws(() => call(key), TypeError);
      }
      for (const call of [keySlots, assertSameSlot, (keys: Key[]) => map.partition(keys)]) {
        assert.throws(() => call(['foo', key]), TypeError);
      }
    }
    assert.throws(() => keySlots(revoked()), TypeError);
    assert.throws(() => keySlots({ length: Symbol('s') } as never), TypeError);
  });

  it('whose own properties run code in the midst of a batch disturbs no other key', () => {
    const content = Buffer.from('bar');
    const works = [
      () => keySlots(['x'.repeat(50_000), Buffer.alloc(40_000), 'é']),
      () => keySlot(Buffer.alloc(20_000_000)),
      () => map.partition(['a', 'b', 'c']),
    ];
    for (const work of works) {
      const busy = (view: DataView | Int8Array) => {
        const get = () => {
          work();
          return 0;
        };
        for (const name of ['buffer', 'byteOffset', 'byteLength', 'length']) {
          Object.defineProperty(view, name, { get });
        }
        return view;
      };
      const bytes = new Uint8Array(content);
      const keys = [
        Buffer.from('foo'),
        busy(new DataView(bytes.buffer)),
        busy(new Int8Array(bytes.buffer)),
        Buffer.from('hello'),
      ];
      assert.deepEqual(Array.from(keySlots(keys)), [12182, 5061, 5061, 866]);
      assert.deepEqual(
        keys.map((key) => keySlot(key)),
        [12182, 5061, 5061, 866],
      );
    }
  });

  it('that is long is hashed by what it holds, whatever length it claims', () => {
    for (const claimed of [0, 7, 1e9, 2 ** 40, -1, Number.NaN]) {
      let asked = 0;
      const long = Buffer.alloc(300_000, 'x');
      Object.defineProperty(long, 'length', { get: () => (asked++ % 2 === 0 ? 5 : claimed) });
      Object.defineProperty(long, 'subarray', { value: () => Buffer.from('other') });
      // The slot that the same key has as a string.
      assert.equal(keySlot(long), 12280);
      assert.deepEqual(Array.from(keySlots(['foo', long])), [12182, 12280]);
      const tagged = Object.defineProperties(Buffer.from('a{foo}b'), {
        length: { value: claimed },
        subarray: { value: () => Buffer.from('other') },
      });
      assert.equal(explainKey(tagged).slot, 12182);
      assert.deepEqual(explainKey(tagged).hashed, new Uint8Array(Buffer.from('foo')));
      assert.equal(patternSlot(tagged), 12182);
    }
  });

  it('over a buffer that shrank or was given away is a TypeError, never slot 0', () => {
    const shrunk = resizable('foobar', 16);
    const views = [
      new Uint8Array(shrunk, 2, 4),
      new Int8Array(shrunk, 2, 4),
      new DataView(shrunk, 2, 4),
      new Uint8Array(shrunk, 5),
    ];
    shrunk.resize(3);
    const gone = new ArrayBuffer(4);
    const detached = [gone, new Uint8Array(gone), new Int16Array(gone), new DataView(gone)];
    structuredClone(gone, { transfer: [gone] });
    for (const key of [...views, ...detached]) {
      assert.throws(() => keySlot(key), TypeError);
      assert.throws(() => keySlots(['foo', key]), TypeError);
      assert.throws(() => explainKey(key), TypeError);
      assert.throws(() => patternSlot(key), TypeError);
    }
  });

  it('that follows the length of its buffer is hashed at the length it has', () => {
    const buffer = resizable('fo', 16);
    const views = [new Uint8Array(buffer), new Int8Array(buffer), new DataView(buffer), buffer];
    buffer.resize(3);
    new Uint8Array(buffer)[2] = 'o'.charCodeAt(0);
    assert.deepEqual(
      views.map((view) => keySlot(view)),
      [12182, 12182, 12182, 12182],
    );
    assert.deepEqual(Array.from(keySlots(views)), [12182, 12182, 12182, 12182]);
  });

  it('may be as long as a string of 100 million characters', () => {
    const long = 'x'.repeat(100_000_000);
    // The checksum of so many x, from a bitwise computation.
    assert.equal(keySlot(long), 8198);
    assert.deepEqual(Array.from(keySlots(['foo', long, 'bar'])), [12182, 8198, 5061]);
    assert.equal(keySlot(`${long}{foo}`), 12182);
  });

  it('that WebAssembly cannot hold is a RangeError with its size', (context) => {
    let key: Uint8Array;
    try {
      key = new Uint8Array(2 ** 31);
    } catch {
      context.skip('no room for 2 GiB');
      return;
    }
    const size = /has 2147483648 bytes; at most 2147483647 can be read$/;
    for (const call of [keySlot, explainKey, patternSlot]) {
      assert.throws(() => call(key), { name: 'RangeError', message: size });
    }
    assert.throws(() => keySlots(['foo', key]), { name: 'RangeError', message: /^keys\[1\] has / });
  });
});

describe('a hostile list of keys', () => {
  afterEach(() => assert.deepEqual(Array.from(keySlots(['foo', 'bar'])), [12182, 5061]));

  it('that is longer than anything it holds is an error at its first hole', () => {
    for (const length of [2 ** 31, 2 ** 32 - 1, 2 ** 53 - 1]) {
      assert.throws(() => keySlots({ length }), /^(TypeError: keys\[0\]|RangeError)/);
    }
    assert.throws(() => keySlots(new Array(2 ** 32 - 1)), /^(TypeError: keys\[0\]|RangeError)/);
    assert.throws(
      () => keySlots(Object.assign(new Array(3), { 0: 'a' })),
      /^TypeError: keys\[1\] is undefined/,
    );
    for (const length of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2', 2n]) {
      assert.throws(() => keySlots({ length } as never), /^TypeError: keys is an object/);
    }
    assert.deepEqual(Array.from(keySlots({ length: 2, 0: 'foo', 1: 'bar' })), [12182, 5061]);
  });

  it('that changes while it is read is read once, or is an error that names the place', () => {
    const keys: Key[] = ['foo', 'bar', 'hello'];
    Object.defineProperty(keys, 1, {
      get() {
        keys.length = 2;
        keys[0] = 'changed';
        return 'bar';
      },
      configurable: false,
    });
    assert.throws(() => keySlots(keys), /^TypeError: keys\[2\] is undefined/);
    const buffer = Buffer.from(new Uint8Array(Buffer.from('foo')).buffer);
    const detaching = new Proxy([buffer, 'bar'] as Key[], {
      get(target, name) {
        if (name === '1') structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
        return Reflect.get(target, name);
      },
    });
    assert.throws(() => map.partition(detaching), TypeError);
    let asked = 0;
    const fickle = new Proxy(['x'] as Key[], {
      get: (target, name) =>
        name === '0' ? ['foo', 'bar', 5][asked++] : Reflect.get(target, name),
    });
    assert.deepEqual(Array.from(keySlots(fickle)), [12182]);
  });

  it('whose class would make the copy has no say in it', () => {
    class Sly extends Array<Key> {
      static override get [Symbol.species]() {
        return function fake() {
          return new Proxy([], { get: (_, name) => (name === 'length' ? 1 : keySlot('x') || 'x') });
        } as unknown as ArrayConstructor;
      }
    }
    const own = Object.assign(['foo', 'bar'], { constructor: Sly });
    for (const keys of [Sly.from(['foo', 'bar']), own]) {
      assert.deepEqual(Array.from(keySlots(keys)), [12182, 5061]);
    }
  });

  it('that throws passes on what it threw', () => {
    const trap = () => {
      throw new Error('trap');
    };
    const all = { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap };
    assert.throws(() => keySlots(new Proxy([], all)), /^Error: trap$/);
    assert.throws(() => keySlot(new Proxy({}, all) as never), /^TypeError: key is an object/);
    const object = { toString: trap, valueOf: trap, [Symbol.toPrimitive]: trap };
    assert.throws(() => keySlot(object as never), /^TypeError: key is an object/);
    assert.throws(() => slotTag(object as never), /^RangeError: an object is not a hash slot/);
    assert.throws(() => map.ownerOf(Symbol('s') as never), /^RangeError: a symbol/);
  });

  it('that iterates without end is read by its length', () => {
    const keys = Object.assign(['{a}1', '{b}1'], {
      *[Symbol.iterator]() {
        for (;;) yield 'x';
      },
    });
    assert.deepEqual(Array.from(keySlots(keys)), [15495, 3300]);
    assert.throws(() => assertSameSlot(keys), { name: 'CrossSlotError' });
  });

  it('may be changed by keysOf while its commands are explained', () => {
    const commands: [string, ...unknown[]][] = [
      ['get', 'foo'],
      ['get', 'bar'],
    ];
    const keysOf = (_name: string, [key]: readonly unknown[]) => {
      commands[0] = ['changed'];
      return [key as Key];
    };
    const told = map.explain(commands, { keysOf });
    assert.deepEqual(
      told.map(({ name, keys }) => [name, keys[0]?.slot]),
      [
        ['get', 12182],
        ['get', 5061],
      ],
    );
  });
});
