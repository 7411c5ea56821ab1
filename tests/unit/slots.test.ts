import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { explainKey, type Key, keySlot, keySlots, patternSlot, slotTag } from 'redslot-wasm';
import { recordedKeys, recordedPatterns, shown } from '../corpus/rows.js';

const KEYS = recordedKeys();
const PATTERNS = recordedPatterns();

describe('keySlot and keySlots', () => {
  it('give what CLUSTER KEYSLOT gave for every key of the corpus, alone and in a batch', () => {
    const batch = keySlots(KEYS.map(({ key }) => key));
    assert.equal(batch.length, KEYS.length);
    KEYS.forEach(({ key, slot }, at) => {
      assert.equal(keySlot(key), slot, `alone: ${shown(key)}`);
      assert.equal(batch[at], slot, `batch: ${shown(key)}`);
    });
  });

  it('give the same for the bytes of a string as for the string', () => {
    const batch = keySlots(KEYS.map(({ bytes }) => bytes));
    assert.ok(KEYS.some(({ key, bytes }) => typeof key === 'string' && key !== String(bytes)));
    KEYS.forEach(({ key, bytes, slot }, at) => {
      assert.deepEqual(Buffer.from(key as string), bytes);
      assert.equal(keySlot(bytes), slot, `alone: ${shown(key)}`);
      assert.equal(batch[at], slot, `batch: ${shown(key)}`);
    });
  });

  it('agree with the bytes of Buffer.from for any strings, lone surrogates included', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const surrogate = fc.constantFrom('\ud83d', '\udc80', '{', '}', 'é', '한');
    const text = fc
      .array(fc.oneof(unit, surrogate), { maxLength: 50 })
      .map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (keys) => {
        const slots = Array.from(keySlots(keys));
        assert.deepEqual(
          slots,
          keys.map((key) => keySlot(Buffer.from(key, 'utf8'))),
        );
        assert.deepEqual(
          slots,
          keys.map((key) => keySlot(key)),
        );
      }),
    );
  });

  it('do not let a surrogate at the end of one key join one at the start of the next', () => {
    // Both halves are sent as EF BF BD, which CLUSTER KEYSLOT puts into 13381.
    assert.deepEqual(Array.from(keySlots(['\ud83d', '\udc80', '💀'])), [13381, 13381, 9284]);
  });

  it('give the slot of the bytes for every length up to 100, wherever a wide character is', () => {
    for (let length = 0; length <= 100; length++) {
      const key = 'k{a}eyz'.repeat(15).slice(0, length);
      assert.equal(keySlot(key), keySlot(Buffer.from(key)));
      for (let at = 0; at < length; at++) {
        const wide = `${key.slice(0, at)}é${key.slice(at + 1)}`;
        assert.equal(keySlot(wide), keySlot(Buffer.from(wide)), wide);
      }
    }
  });

  it('take any mix of strings, views and buffers', () => {
    const around = Buffer.from('..foo..');
    const shared = new Uint8Array(new SharedArrayBuffer(5), 1, 3);
    shared.set(Buffer.from('foo'));
    const whole = new Uint8Array(Buffer.from('foo'));
    const keys: Key[] = [
      'foo',
      around.subarray(2, 5),
      new DataView(around.buffer, around.byteOffset + 2, 3),
      whole.buffer,
      new Int8Array(whole.buffer),
      shared,
      'bar',
    ];
    assert.deepEqual(Array.from(keySlots(keys)), [12182, 12182, 12182, 12182, 12182, 12182, 5061]);
    assert.deepEqual(keys.map(keySlot as (key: Key) => number), [...Array(6).fill(12182), 5061]);
  });

  it('respect the byte offset of views with elements wider than a byte', () => {
    const bytes = Buffer.from('__foobar');
    const words = new Uint16Array(new Uint8Array(bytes).buffer, 2, 3);
    assert.equal(keySlot(words), keySlot('foobar'));
  });

  it('handle keys longer than the scratch area, alone and in a batch', () => {
    const long = 'x'.repeat(300_000);
    const wide = '한'.repeat(100_000);
    const tagged = `{foo}${long}`;
    const slots = Array.from(keySlots(['foo', long, wide, tagged, Buffer.from(long), 'bar']));
    assert.deepEqual(slots, [12182, 12280, 7787, 12182, 12280, 5061]);
    assert.deepEqual(
      [keySlot(long), keySlot(wide), keySlot(Buffer.from(tagged))],
      [12280, 7787, 12182],
    );
  });

  it('cross every boundary between chunks without losing a key', () => {
    const keys = Array.from({ length: 50_000 }, (_, at) => `${'k'.repeat(at % 97)}${at}`);
    const slots = keySlots(keys);
    for (let at = 0; at < keys.length; at += 101)
      assert.equal(slots[at], keySlot(keys[at] as string));
    assert.equal(slots.length, keys.length);
  });

  it('refuse what is no key, with its index and type', () => {
    for (const [value, name] of [
      [123, 'a number'],
      [null, 'null'],
      [undefined, 'undefined'],
      [[], 'an array'],
      [{}, 'an object'],
      [true, 'a boolean'],
      [new String('foo'), 'an object'],
    ] as const) {
      const bad = value as unknown as Key;
      assert.throws(() => keySlot(bad), {
        name: 'TypeError',
        message: new RegExp(`^key is ${name};`),
      });
      assert.throws(() => keySlots(['a', bad]), {
        name: 'TypeError',
        message: new RegExp(`^keys\\[1\\] is ${name};`),
      });
    }
    assert.throws(() => keySlots('foo' as unknown as Key[]), /^TypeError: keys is a string;/);
    assert.throws(() => keySlots(null as unknown as Key[]), /^TypeError: keys is null;/);
    assert.deepEqual(Array.from(keySlots(['foo'])), [12182]);
  });

  it('refuse what only looks like bytes', () => {
    const tagged = { [Symbol.toStringTag]: 'ArrayBuffer', length: 3 };
    const proxy = new Proxy(new Uint8Array(3), {
      get: (_, name) => (name === 'length' ? 2 : 102),
    });
    for (const bad of [tagged, proxy, Object.create(Uint8Array.prototype)]) {
      assert.throws(() => keySlot(bad), /^TypeError: key is an object;/);
      assert.throws(() => keySlots([bad]), /^TypeError: keys\[0\] is an object;/);
    }
  });

  it('hash what a view holds, not what its own properties claim', () => {
    for (const length of [0, 2, 5, 1e9]) {
      const liar = Object.defineProperty(Buffer.from('foo'), 'length', { value: length });
      assert.equal(keySlot(liar), 12182);
      assert.deepEqual(
        Array.from(keySlots([liar, 'bar', liar, liar])),
        [12182, 5061, 12182, 12182],
      );
    }
    const words = Object.setPrototypeOf(new Uint16Array([0x6f66, 0x6f]), Uint8Array.prototype);
    assert.equal(keySlot(words), keySlot('foo\0'));
    const busy = Object.defineProperty(Buffer.from('bar'), 'length', {
      get: () => keySlots(['x'.repeat(40)]).length,
    });
    assert.deepEqual(Array.from(keySlots([Buffer.from('foo'), busy])), [12182, 5061]);
  });

  it('refuse bytes that were given away to another thread', () => {
    const bytes = Buffer.from(new Uint8Array([102, 111, 111]).buffer);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    for (const key of [bytes, bytes.buffer]) {
      assert.throws(() => keySlot(key), TypeError);
      assert.throws(() => keySlots(['foo', key]), TypeError);
      assert.throws(() => explainKey(key), TypeError);
    }
    assert.equal(keySlot('foo'), 12182);
  });

  it('are not disturbed by hashing that goes on while an element is read', () => {
    const inner = [
      () => keySlot('another'),
      () => keySlots(['q'.repeat(20), 'é', Buffer.from('bytes')]),
      () => explainKey('x'.repeat(3_000_000)),
    ];
    for (const keys of [
      ['foo', 'bar', 'hello'],
      ['foo', 'bar', 'hello'].map((key) => Buffer.from(key)),
    ]) {
      for (const work of inner) {
        const busy = new Proxy(keys, {
          get(target, name) {
            if (name === '1') work();
            return Reflect.get(target, name);
          },
        });
        assert.deepEqual(Array.from(keySlots(busy)), [12182, 5061, 866]);
      }
    }
  });

  it('give an empty array for no keys', () => {
    assert.deepEqual(keySlots([]), new Uint16Array(0));
  });
});

describe('explainKey', () => {
  it('shows the tag in bytes, not in characters', () => {
    const told = explainKey('한{글}x');
    assert.deepEqual(told.tag, { start: 4, end: 7 });
    assert.equal(told.hashed, '글');
  });

  it('hashes a copy of the bytes it was given', () => {
    const key = Buffer.from('a{b}c');
    const { hashed } = explainKey(key);
    key.fill(0);
    assert.deepEqual(Array.from(hashed), [0x62]);
  });

  it('says why in words', () => {
    assert.match(explainKey('foo{}{bar}').reason, /byte 3 and "}" follows at once/);
    assert.equal(explainKey('foo{}{bar}').hashed, 'foo{}{bar}');
    assert.match(explainKey('foo').reason, /^no "{" in the key/);
  });

  it('tells the four cases apart by the bytes at which the braces are', () => {
    const cases = [
      ['한}', null, null],
      ['한{글', 3, null],
      ['한{}{글}', 3, 4],
      ['한{글}}', 3, 7],
    ] as const;
    for (const [key, open, close] of cases) {
      assert.deepEqual(explainKey(key).braces, { open, close }, key);
    }
  });

  it('gives the slots of the corpus, and the bytes within the tag where there is one', () => {
    for (const { key, bytes, slot } of KEYS) {
      for (const given of [key, bytes]) {
        const { slot: told, tag, hashed } = explainKey(given);
        assert.equal(told, slot, shown(key));
        const within = tag ? bytes.subarray(tag.start, tag.end) : bytes;
        assert.ok(within.equals(Buffer.from(hashed as string)), shown(key));
      }
    }
  });
});

describe('patternSlot', () => {
  it('gives what Redis 8 inferred for every pattern of the corpus', () => {
    for (const { pattern, slot } of PATTERNS) {
      assert.equal(patternSlot(pattern), slot, shown(pattern));
      assert.equal(patternSlot(Buffer.from(pattern as string)), slot, shown(pattern));
    }
  });
});

describe('slotTag', () => {
  it('lands on each of the 16384 slots with at most three characters', () => {
    for (let slot = 0; slot < 16384; slot++) {
      const tag = slotTag(slot);
      assert.match(tag, /^[0-9A-Za-z]{1,3}$/);
      assert.equal(keySlot(`{${tag}}:any`), slot);
    }
  });

  it('refuses what is no slot', () => {
    for (const bad of [-1, 16384, 1.5, Number.NaN, '5' as unknown as number]) {
      assert.throws(() => slotTag(bad), RangeError);
    }
    assert.throws(() => slotTag('5' as never), /^RangeError: a string is not a hash slot/);
  });
});
