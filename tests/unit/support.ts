import type { SlotMap as SlotMapType } from 'redslot-wasm';
import { SlotMap } from 'redslot-wasm';

/** Three primaries with 5461 or 5462 slots each, as redis-cli deals them out. */
export function evenMap(): SlotMapType {
  return SlotMap.fromSlots([
    [0, 5460, ['192.0.2.1', 7000, 'p1', []], ['192.0.2.4', 7003, 'r1', []]],
    [5461, 10922, ['192.0.2.2', 7001, 'p2', []]],
    [10923, 16383, ['192.0.2.3', 7002, 'p3', []]],
  ]);
}
