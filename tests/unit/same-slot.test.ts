import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSameSlot, CrossSlotError } from 'redslot-wasm';

/** The error that the keys raise. */
function raised(keys: Parameters<typeof assertSameSlot>[0]): CrossSlotError {
  try {
    assertSameSlot(keys);
  } catch (error) {
    assert.ok(error instanceof CrossSlotError);
    return error;
  }
  throw new Error('the keys are in one slot');
}

describe('assertSameSlot', () => {
  it('gives the slot of keys that share one', () => {
    assert.equal(assertSameSlot(['{a}:wait', '{a}:active', 'bull:{a}']), 15495);
    assert.equal(assertSameSlot(['foo']), 12182);
    assert.equal(assertSameSlot([Buffer.from('{a}1'), '{a}2']), 15495);
    assert.equal(assertSameSlot([]), null);
  });

  it('names tag and slot of each key, and the tag to use', () => {
    const { message, keys } = raised(['{a}:wait', '{b}:wait', '{a}:active', 'foo']);
    assert.equal(
      message,
      [
        'These 4 keys are in 3 hash slots, and must be in one:',
        '  "{a}:wait": slot 15495, tag {a}',
        '  "{b}:wait": slot 3300, tag {b}',
        '  "{a}:active": slot 15495, tag {a}',
        '  "foo": slot 12182, no hash tag',
        'Only what stands between the first { and the first } after it is hashed: ' +
          'put {a} into every key, in place of any other tag.',
      ].join('\n'),
    );
    assert.deepEqual(
      keys.map(({ slot }) => slot),
      [15495, 3300, 15495, 12182],
    );
  });

  it('looks at every key, not at the first two', () => {
    assert.equal(raised(['{a}1', '{a}2', 'b']).keys.length, 3);
  });

  it('names ten keys of many, cut short, and no bytes of binary ones', () => {
    const many = Array.from({ length: 30 }, (_, i) => `${'x'.repeat(500)}${i}`);
    const { message } = raised([Buffer.from([0xac, 0xed]), ...many]);
    assert.match(message, /^These 31 keys/);
    assert.match(message, /a key of 2 bytes: slot \d+, no hash tag/);
    assert.match(message, /and 21 more/);
    assert.match(message, /put the same text in braces into every key/);
    assert.ok(message.length < 1500, `${message.length} characters`);
  });

  it('refuses what is no key', () => {
    assert.throws(() => assertSameSlot(['a', 7] as never), { name: 'TypeError' });
    assert.throws(() => assertSameSlot('a' as never), { name: 'TypeError' });
  });
});
