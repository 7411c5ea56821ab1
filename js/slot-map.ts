import {
  type CommandExplanation,
  type CommandLike,
  type ExplainOptions,
  explainCommands,
} from './explain.js';
import { type Owners, partitionSlots, routeRuns } from './groups.js';
import { described, type Key } from './keys.js';
import { json, packed, text } from './replies.js';
import type { Group, Partition, Routing } from './routing.js';
import { checkSlot, keySlot, keySlots, lengthOf } from './slots.js';
import {
  type Conflict,
  type Fault,
  type Move,
  type Primary,
  type SavedSlotMap,
  type SlotRange,
  TopologyError,
} from './topology.js';
import { type Glue, guarded } from './wasm.js';

/** Stands for the length of a text that is not there. */
const NO_TEXT = 0xffff_ffff;

/** What the caller knows beyond the reply. */
export interface TopologyOptions {
  /**
   * The host that stands in where a reply gives null or "", usually the one that was asked. An
   * empty string and "?" are no host.
   */
  readonly fallbackHost?: string;
}

/** What the core tells of a topology, as `src/wasm/topologies.rs` describes it. */
interface Laid {
  readonly count: number;
  readonly text: string;
  readonly numbers: Uint32Array;
  readonly gaps: readonly SlotRange[];
  readonly conflicts: readonly { start: number; end: number; owners: readonly number[] }[];
  readonly owners: Uint16Array;
  readonly error?: Fault;
}

const PRINTED: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A checked topology: which primary serves which slot.
 *
 * Plain immutable data with no handle into WebAssembly memory. Nothing has to be freed.
 */
export class SlotMap {
  /**
   * One entry per primary, in the order of their lowest slots; never empty. Made when it is first
   * looked at.
   */
  declare readonly primaries: readonly Primary[];
  /**
   * Inclusive ranges of slots that nobody claims, or that only a node claims whose address the
   * server has lost, ascending.
   */
  readonly gaps: readonly SlotRange[];
  /** Slots that several primaries claim, ascending. They have no owner here. */
  readonly conflicts: readonly Conflict[];
  readonly #owners: Owners;

  private constructor(laid: Laid) {
    let primaries: readonly Primary[] | undefined;
    const get = () => {
      primaries ??= primariesOf(laid);
      return primaries;
    };
    // Own and enumerable, so that maps are compared by it.
    Object.defineProperty(this, 'primaries', { get, enumerable: true });
    this.gaps = frozen(laid.gaps);
    const claimants = (owners: readonly number[]) =>
      owners.map((owner) => this.primaries[owner] as Primary);
    this.conflicts = frozen(
      laid.conflicts.map(({ start, end, owners }) => ({ start, end, owners: claimants(owners) })),
    );
    this.#owners = { table: laid.owners, primaries: laid.count };
    Object.freeze(this);
  }

  /**
   * What Node.js prints, which would be a getter in place of the primaries.
   * @internal
   */
  [PRINTED](_depth: number, options: object, inspect: (value: object, options: object) => string) {
    const { primaries, gaps, conflicts } = this;
    return `SlotMap ${inspect({ primaries, gaps, conflicts }, options)}`;
  }

  static #from(lay: (glue: Glue) => Laid): SlotMap {
    const laid = guarded(lay);
    if (laid.error !== undefined) throw new TopologyError(laid.error);
    return new SlotMap(laid);
  }

  /**
   * Reads a reply to CLUSTER SLOTS, such as `await cluster.cluster('SLOTS')`. Its shape is that of
   * https://redis.io/docs/latest/commands/cluster-slots/; numbers may be text, and text Buffers.
   *
   * @throws A {@link TopologyError} with the index of the first entry that is not of its shape.
   */
  static fromSlots(reply: unknown, options?: TopologyOptions): SlotMap {
    const host = fallbackOf(options);
    const pack = packed(reply);
    if (pack !== undefined) {
      const laid: Laid = guarded((glue) =>
        glue.from_packed(pack.names, pack.ports, pack.entries, host),
      );
      if (laid.error === undefined) return new SlotMap(laid);
    }
    const read = json(reply);
    return SlotMap.#from((glue) => glue.from_slots(read, host));
  }

  /**
   * Reads a reply to CLUSTER SHARDS (RESP2 arrays, or RESP3 maps as objects or `Map`), as
   * https://redis.io/docs/latest/commands/cluster-shards/ describes it.
   *
   * @throws A {@link TopologyError} with the index of the first shard that is not of its shape.
   */
  static fromShards(reply: unknown, options?: TopologyOptions): SlotMap {
    const read = json(reply);
    const host = fallbackOf(options);
    return SlotMap.#from((glue) => glue.from_shards(read, host));
  }

  /**
   * Reads a reply to CLUSTER NODES: one string, or its bytes, in the format of
   * https://redis.io/docs/latest/commands/cluster-nodes/. The view is that of the node that was
   * asked.
   *
   * @throws A {@link TopologyError} with the first line that is not of its shape.
   */
  static fromNodes(reply: unknown, options?: TopologyOptions): SlotMap {
    const read = text(reply);
    const host = fallbackOf(options);
    return SlotMap.#from((glue) => glue.from_nodes(read, host));
  }

  /**
   * Reads what people paste: JSON, redis-cli's numbered or raw text, CLUSTER NODES lines, what
   * Node.js prints for a reply, and a debug log of ioredis (`DEBUG=ioredis:cluster`).
   *
   * Takes up to 67,108,864 characters, and up to 4,194,304 words of anything but a log.
   *
   * A debug log holds no ids and no nodes without a host; its last whole refresh counts.
   *
   * @throws A {@link TopologyError} that says what was not understood, with its line.
   */
  static parse(pasted: string, options?: TopologyOptions): SlotMap {
    const read = text(pasted);
    const host = fallbackOf(options);
    return SlotMap.#from((glue) => glue.from_text(read, host));
  }

  /**
   * Reads what {@link SlotMap.toJSON} gave.
   *
   * @throws A {@link TopologyError} with the index of the first primary that is not of its shape.
   */
  static fromJSON(saved: unknown): SlotMap {
    const read = json(saved);
    return SlotMap.#from((glue) => glue.from_plain(read));
  }

  /** The map as plain data, from which {@link SlotMap.fromJSON} makes an equal one. */
  toJSON(): SavedSlotMap {
    return { primaries: this.primaries };
  }

  /**
   * The primary that serves a slot, or null in a gap or a conflict.
   *
   * @throws A `RangeError` when `slot` is not a whole number from 0 to 16383.
   */
  ownerOf(slot: number): Primary | null {
    checkSlot(slot);
    return this.primaries[this.#owners.table[slot] as number] ?? null;
  }

  /**
   * The primary that serves a key's slot, or null in a gap or a conflict.
   *
   * @throws A `TypeError` when `key` is neither a string nor bytes.
   */
  nodeFor(key: Key): Primary | null {
    return this.ownerOf(keySlot(key));
  }

  /**
   * Groups keys by the primary that serves them. Every index of `keys` is in the result exactly
   * once. Costs about as much as {@link keySlots}, whatever the number of ranges.
   *
   * @throws A `TypeError` that names the index of what is neither a string nor bytes.
   */
  partition(keys: ArrayLike<Key>): Partition {
    const shares = partitionSlots(keySlots(keys), this.#owners);
    return { groups: this.#groups(shares), unowned: shares[this.primaries.length] as Uint32Array };
  }

  /**
   * Groups commands by the primary that serves their keys. The keys of all commands stand one after
   * another in `keys`, `counts[i]` of them for command `i`. Every command is in the result once.
   *
   * @throws A `TypeError` that names the index of what is neither a string nor bytes, and a
   * `RangeError` when the counts are not whole numbers that add up to the number of keys.
   */
  route(keys: ArrayLike<Key>, counts: ArrayLike<number>): Routing {
    const slots = keySlots(keys);
    const { firsts, groups } = routeRuns(slots, checked(counts, slots.length), this.#owners);
    const [keyless, unowned, crossSlot] = groups.slice(this.primaries.length) as Rest;
    return {
      slots: firsts,
      keySlots: slots,
      groups: this.#groups(groups),
      keyless,
      unowned,
      crossSlot,
    };
  }

  /**
   * What changed from this map to a newer one, ascending. Primaries are the same if their ids are,
   * or without ids host and port.
   *
   * @throws A {@link TopologyError} when `newer` is no slot map.
   */
  diff(newer: SlotMap): Move[] {
    const older = json({ primaries: this.primaries });
    // Only what counts: conflicts repeat the primaries that they name.
    const other = json({
      get primaries() {
        return (newer as SlotMap | null)?.primaries;
      },
    });
    const { moves, error } = guarded((glue) => glue.diff(older, other)) as Moves;
    if (error !== undefined) throw new TopologyError(error);
    const of = (map: SlotMap, at: number | null) =>
      at === null ? null : (map.primaries[at] ?? null);
    return moves.map(({ start, end, from, to }) => ({
      start,
      end,
      from: of(this, from),
      to: of(newer, to),
    }));
  }

  /**
   * A dry run: where each command would go, or why it is refused.
   *
   * A command without keys goes to the first of {@link SlotMap.primaries}. MGET, MSET, DEL, UNLINK,
   * EXISTS and TOUCH over several slots would be split into one piece per slot.
   *
   * @throws A `TypeError` when a command is not an array with a name, or a key no key.
   */
  explain(commands: readonly CommandLike[], options: ExplainOptions): CommandExplanation[] {
    return explainCommands(this, commands, options);
  }

  #groups(shares: readonly Uint32Array[]): Group[] {
    const groups: Group[] = [];
    for (const [at, node] of this.primaries.entries()) {
      const indices = shares[at] as Uint32Array;
      if (indices.length > 0) groups.push({ node, indices });
    }
    return groups;
  }
}

type Rest = [Uint32Array, Uint32Array, Uint32Array];

interface Moves {
  readonly moves: { start: number; end: number; from: number | null; to: number | null }[];
  readonly error?: Fault;
}

function fallbackOf(options: TopologyOptions | undefined): string | undefined {
  const host: unknown = options?.fallbackHost;
  if (host === undefined || typeof host === 'string') return host;
  throw new TypeError(`fallbackHost is ${described(host)}; it has to be a string`);
}

/** A copy of `counts`, which add up to `keys`. */
function checked(counts: ArrayLike<number>, keys: number): Uint32Array {
  const copy = new Uint32Array(lengthOf(counts, 'counts'));
  let sum = 0;
  for (let at = 0; at < copy.length; at++) {
    const count: unknown = counts[at];
    if (!Number.isSafeInteger(count) || (count as number) < 0) {
      const found = typeof count === 'number' ? count : described(count);
      throw new RangeError(`counts[${at}] is ${found}; it has to be a number of keys`);
    }
    copy[at] = count as number;
    sum += count as number;
  }
  if (sum !== keys) throw new RangeError(`counts add up to ${sum} keys, but there are ${keys}`);
  return copy;
}

function primariesOf({ count, text, numbers }: Laid): readonly Primary[] {
  let at = 0;
  let from = 0;
  const next = () => numbers[at++] as number;
  const list = <T>(length: number, item: () => T) => {
    const items: T[] = [];
    while (items.length < length) items.push(item());
    return Object.freeze(items);
  };
  const piece = () => {
    const length = next();
    if (length === NO_TEXT) return null;
    from += length;
    return text.slice(from - length, from);
  };
  const node = () => {
    const [id, host, endpoint] = [piece(), piece(), piece()];
    return { id, host, port: next(), endpoint };
  };
  const replica = () => Object.freeze(node());
  const range = () => Object.freeze([next(), next()] as const);
  const primary = () =>
    Object.freeze({
      ...node(),
      ranges: list(next(), range),
      replicas: list(next(), replica),
    });
  return list(count, primary);
}

/** Freezes plain data all the way down; what is frozen already is taken to be so throughout. */
function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  for (const key in data) frozen(data[key]);
  return Object.freeze(data);
}
