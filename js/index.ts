/**
 * Redis Cluster hash slots, topologies and key partitioning, computed in WebAssembly.
 *
 * @packageDocumentation
 * @module redslot-wasm
 */

export type {
  CommandExplanation,
  CommandLike,
  ExplainedKey,
  ExplainOptions,
  Piece,
  Refusal,
} from './explain.js';
export type { Key } from './keys.js';
export type { InitSource } from './module/source.js';
export type { Group, Partition, Routing } from './routing.js';
export { assertSameSlot, CrossSlotError } from './same-slot.js';
export { SlotMap, type TopologyOptions } from './slot-map.js';
export {
  explainKey,
  type KeyExplanation,
  keySlot,
  keySlots,
  patternSlot,
  slotTag,
} from './slots.js';
export {
  type Conflict,
  type Fault,
  type Move,
  type Primary,
  type Replica,
  type SavedSlotMap,
  type SlotRange,
  TopologyError,
} from './topology.js';
export { init } from './wasm.js';
