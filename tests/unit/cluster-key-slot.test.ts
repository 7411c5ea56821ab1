import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import theirs from 'cluster-key-slot';
import calculateSlot, { generateMulti } from 'redslot-wasm/cluster-key-slot';
import { recordedKeys, shown } from '../corpus/rows.ts';

const require = createRequire(import.meta.url);

/** Its declarations leave out `generateMulti` under this module resolution. */
const peer = theirs as typeof calculateSlot;

/** An empty tag before another `}`, which that package takes for the end of a tag. */
const EMPTY_TAG = /^[^{]*\{\}[^}]*\}/s;

/** Half of a surrogate pair. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function isKnownDifference(key: string | Buffer): boolean {
  const text = typeof key === 'string' ? key : key.toString('latin1');
  return EMPTY_TAG.test(text) || (typeof key === 'string' && LONE_SURROGATE.test(key));
}

describe('redslot-wasm/cluster-key-slot', () => {
  it('is the function itself by require, and the default by import', () => {
    const required = require('redslot-wasm/cluster-key-slot');
    for (const calculate of [required, calculateSlot]) {
      assert.equal(typeof calculate, 'function');
      assert.equal(calculate('foo'), 12182);
      assert.equal(calculate.generateMulti(['foo', '{foo}x']), 12182);
    }
  });

  it('answers the examples of that package as it does', () => {
    const keys = [
      'test:key:{butOnlyThis}redis',
      'something:key45:{butOnlyThis}hello',
      'example:key46:{butOnlyThis}foobar',
    ];
    assert.deepEqual(keys.map(calculateSlot), Array(3).fill(6430));
    assert.equal(generateMulti(keys), 6430);
    const bytes = Buffer.from([0x7b, 0x7d, 0x2a]);
    assert.equal(calculateSlot(bytes), 5076);
    assert.deepEqual([peer(keys[0] as string), peer.generateMulti(keys)], [6430, 6430]);
    assert.equal(peer(bytes), 5076);
  });

  it('gives the slots that the tests of that package name', () => {
    const published: readonly [key: string, slot: number][] = [
      ['123465', 1492],
      ['foobar', 12325],
      ['abcdefghijklmnopqrstuvwxyz', 9132],
      ['gsdfhan$%^&*(sdgsdnhshcs', 15532],
      ['abc{foobar}', 12325],
      ['{foobar}', 12325],
      ['h8a9sd{foobar}}{asd}}', 12325],
      ['{foobar', 16235],
      ['foobar{}', 4435],
      ['{{foobar}', 16235],
      ['éêe', 13690],
      ['àâa', 3872],
      ['漢字', 14191],
      ['汉字', 16196],
      ['호텔', 4350],
      ['\u{1f480}', 9284],
      ['\u{10000}', 11620],
    ];
    for (const [key, slot] of published) {
      assert.equal(calculateSlot(key), slot, key);
      assert.equal(calculateSlot(Buffer.from(key)), slot, key);
    }
    assert.equal(generateMulti(Array(8).fill('abcdefghijklmnopqrstuvwxyz')), 9132);
    assert.equal(generateMulti(published.map(([key]) => key)), -1);
  });

  it('gives -1 for keys in several slots, whichever comes first', () => {
    for (const keys of [
      ['foo', 'bar'],
      ['foo', '{foo}', 'bar'],
      ['bar', 'foo', 'foo'],
    ]) {
      assert.equal(generateMulti(keys), -1);
      assert.equal(peer.generateMulti(keys), -1);
    }
    assert.equal(generateMulti(['{é}1', Buffer.from('{é}2')]), calculateSlot('é'));
  });

  it('differs from it on the corpus only where it differs from the server', () => {
    let differences = 0;
    for (const { key, slot } of recordedKeys()) {
      assert.equal(calculateSlot(key), slot, shown(key));
      if (peer(key) === slot) continue;
      assert.ok(isKnownDifference(key), shown(key));
      differences++;
    }
    assert.ok(differences > 100, `${differences}`);
  });

  it('takes no key and no list without keys for a slot', () => {
    for (const wrong of [undefined, null, 5, {}, [102, 111, 111]]) {
      assert.throws(() => calculateSlot(wrong as never), TypeError);
      assert.throws(() => generateMulti(['foo', wrong as never]), TypeError);
    }
    assert.throws(() => generateMulti([]), /^TypeError: keys is empty/);
    assert.throws(() => peer.generateMulti([]), TypeError);
  });
});
