import { expect, test } from '@jest/globals';
import { keySlot, SlotMap } from 'redslot-wasm';

test('TypeScript works', () => {
  const slot: number = keySlot('{user1000}.following');
  expect(slot).toBe(3443);
  expect(SlotMap.fromSlots([[0, 16383, ['h', 1]]]).nodeFor('foo')?.endpoint).toBe('h:1');
});
