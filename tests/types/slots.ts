/** Compiled, never run: the main entry, its twin without WebAssembly, and cluster-key-slot. */
import type { Cluster } from 'ioredis';
import {
  assertSameSlot,
  type Conflict,
  explainKey,
  init,
  keySlot,
  keySlots,
  type Move,
  type Partition,
  type Primary,
  patternSlot,
  type SavedSlotMap,
  SlotMap,
  type SlotRange,
  slotTag,
} from 'redslot-wasm';
import calculateSlot, { generateMulti } from 'redslot-wasm/cluster-key-slot';
import { redslot } from 'redslot-wasm/ioredis';
import * as translated from 'redslot-wasm/js';
import { holds, type Same } from './same.ts';

export function keys() {
  const slots = keySlots(['a', Buffer.of(1), new Uint8Array(1), new ArrayBuffer(1)]);
  holds<Same<typeof slots, Uint16Array>>();
  const ofText = explainKey('a');
  holds<Same<typeof ofText.hashed, string>>();
  const ofBytes = explainKey(Buffer.of(1));
  holds<Same<typeof ofBytes.hashed, Uint8Array>>();
  const numbers: number[] = [keySlot('a'), calculateSlot('a'), generateMulti(['a'])];
  const ofPattern: number | null = patternSlot('{a}*');
  const common: number | null = assertSameSlot(['{a}1', Buffer.from('{a}2')]);
  const tag: string = slotTag(0);
  // @ts-expect-error a number is no key
  keySlot(1);
  // @ts-expect-error one key is no list of keys
  keySlots(new Map());
  // @ts-expect-error a slot is a number
  slotTag('0');
  return [numbers, ofPattern, common, tag];
}

export async function maps(cluster: Cluster) {
  const map = SlotMap.fromSlots(await cluster.cluster('SLOTS'), { fallbackHost: 'localhost' });
  holds<Same<typeof map.primaries, readonly Primary[]>>();
  holds<Same<typeof map.gaps, readonly SlotRange[]>>();
  holds<Same<typeof map.conflicts, readonly Conflict[]>>();
  const owner = map.nodeFor('foo') ?? map.ownerOf(0);
  holds<Same<typeof owner, Primary | null>>();
  const partition = map.partition(['a', Buffer.of(1)]);
  holds<Same<typeof partition, Partition>>();
  const groups: [string | null, Uint32Array][] = partition.groups.map(({ node, indices }) => {
    return [node.endpoint, indices];
  });
  const moves = map.diff(SlotMap.parse('', {}));
  holds<Same<typeof moves, Move[]>>();
  const saved: SavedSlotMap = map.toJSON();
  const current = await redslot(cluster).slotMap();
  holds<Same<typeof current, SlotMap>>();
  const [one] = map.explain([['get', 'a']], { keysOf: (_, args) => [String(args[0])] });
  holds<Same<NonNullable<typeof one>['node'], Primary | null>>();

  // @ts-expect-error a number is no key
  map.nodeFor(1);
  // @ts-expect-error a map is read, not made
  new SlotMap();
  // @ts-expect-error and not changed
  map.primaries = [];
  // @ts-expect-error ranges neither
  map.gaps.push([0, 1]);
  // @ts-expect-error how to find the keys has to be said
  map.explain([['get', 'a']]);
  return [groups, SlotMap.fromJSON(saved), translated.SlotMap.fromJSON(saved)];
}

export async function starts(bytes: Buffer<ArrayBuffer>) {
  await init();
  await init(bytes);
  await init(bytes.buffer);
  await init(fetch('https://example.org/redslot.wasm'));
  await init(new URL('https://example.org/redslot.wasm'));
  // @ts-expect-error a path is no source; a URL is
  await init('redslot.wasm');
}
