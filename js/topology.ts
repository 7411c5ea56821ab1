/** A node that serves no slots of its own. */
export interface Replica {
  /** The node id, null where the reply gives none. */
  readonly id: string | null;
  /** Name or address, IPv6 without brackets; null where the reply gives none. */
  readonly host: string | null;
  /** The port for clients. */
  readonly port: number;
  /** `host:port`, the key under which ioredis keeps the node; null without a host. */
  readonly endpoint: string | null;
}

/** A node that serves slots. */
export interface Primary extends Replica {
  /** Inclusive slot ranges, ascending, not empty, none touching another. */
  readonly ranges: readonly SlotRange[];
  /** Its replicas, in the order of the reply. */
  readonly replicas: readonly Replica[];
}

/** First and last slot of a range, both inclusive. */
export type SlotRange = readonly [start: number, end: number];

/** Slots `start` to `end`, inclusive, claimed by the same several primaries. */
export interface Conflict {
  /** The first slot. */
  readonly start: number;
  /** The last slot. */
  readonly end: number;
  /** The claimants, at least two, at most the first 64 of them. */
  readonly owners: readonly Primary[];
}

/** Slots `start` to `end`, inclusive, that went from one owner to another. */
export interface Move {
  /** The first slot. */
  readonly start: number;
  /** The last slot. */
  readonly end: number;
  /** A primary of the older map, null for no owner. */
  readonly from: Primary | null;
  /** A primary of the newer map, null for no owner. */
  readonly to: Primary | null;
}

/** A topology in the form in which it is saved. */
export interface SavedSlotMap {
  /** As {@link SlotMap.primaries}; what nobody serves, and what several claim, follows from it. */
  readonly primaries: readonly Primary[];
}

/** Where a topology was at fault, as {@link TopologyError} describes it. */
export type Fault = Pick<TopologyError, 'entry' | 'line' | 'reason'>;

/** A reply, a pasted text or a saved map that describes no topology. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';
  /** Index of the entry, shard or primary at fault, null where the fault has no such place. */
  readonly entry: number | null;
  /** One-based line at fault, null for input that was not text. */
  readonly line: number | null;
  /** What was found and what was expected. */
  readonly reason: string;

  /** The package makes them; an application does in its tests. */
  constructor({ entry, line, reason }: Fault, options?: ErrorOptions) {
    const places = [
      line === null ? '' : `line ${line}: `,
      entry === null ? '' : `entry ${entry}: `,
    ];
    super(`${places.join('')}${reason}`, options);
    this.entry = entry;
    this.line = line;
    this.reason = reason;
  }
}
