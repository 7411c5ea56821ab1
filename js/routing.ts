import type { Primary } from './topology.js';

/** One primary's share of a batch. */
export interface Group {
  /** The very object of `map.primaries`. */
  readonly node: Primary;
  /** Ascending indices into what was passed. */
  readonly indices: Uint32Array;
}

/** Keys by the primary that serves them. */
export interface Partition {
  /** In the order of `map.primaries`; primaries without a key are left out. */
  readonly groups: readonly Group[];
  /** Indices of keys whose slot has no one owner: in a gap, or in a conflict. */
  readonly unowned: Uint32Array;
}

/** Commands by the primary that serves their keys. */
export interface Routing {
  /** The slot of each command's first key, -1 where it has no keys. */
  readonly slots: Int32Array;
  /** The slot of each key. */
  readonly keySlots: Uint16Array;
  /** Indices of commands, in the order of `map.primaries`; primaries without any are left out. */
  readonly groups: readonly Group[];
  /** Indices of commands without keys. */
  readonly keyless: Uint32Array;
  /** Indices of commands all of whose keys are in one slot, which has no one owner. */
  readonly unowned: Uint32Array;
  /** Indices of commands whose keys are in more than one slot, be it on one node. */
  readonly crossSlot: Uint32Array;
}
