import type { Cluster } from 'ioredis';
import { type Group, type Key, keySlot, SlotMap } from 'redslot-wasm';
import calculateSlot, { generateMulti } from 'redslot-wasm/cluster-key-slot';
import { RedslotError, redslot } from 'redslot-wasm/ioredis';
import * as translated from 'redslot-wasm/js';

const key: Key = 'foo';
const slot: number = keySlot(key);
const map = SlotMap.fromSlots([[0, 16383, ['192.0.2.1', 7000, 'p', []]]]);
const groups: Group[] = [...map.partition([key]).groups];

// @ts-expect-error a slot is a number
const text: string = keySlot(key);

export async function batch(cluster: Cluster): Promise<RedslotError | null> {
  const slots = redslot(cluster);
  const replies = await slots.pipeline().set('a', '1', 'EX', 60).getBuffer('a').exec();
  // @ts-expect-error no such command
  slots.pipeline().nosuchcommand('a');
  // @ts-expect-error a number is no key
  translated.keySlot(5);
  const values: (string | null)[] = await slots.mget(['a', 'b']);
  const error = replies?.[0]?.[0];
  return values.length > 0 && error instanceof RedslotError ? error : null;
}

console.log(
  [
    slot,
    text,
    groups.length,
    calculateSlot(key),
    generateMulti([key]),
    translated.keySlot(key),
  ].join(),
);
