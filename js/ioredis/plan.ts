import type { Primary, Routing, SlotMap } from '../index.js';
import { splitOf } from '../split.js';
import type { Context } from './context.js';
import type { Entry } from './entry.js';
import { split } from './piece.js';
import { crossSlot, unowned } from './refusal.js';
import { readerOf } from './replica.js';

type Key = string | Uint8Array;

/** What to send where. */
export interface Plan {
  /** In call order; a command that is split is replaced by its pieces. */
  entries: Entry[];
  /**
   * Connection key for each entry: null where its primary announced no address,
   * undefined where it was refused.
   */
  keys: (string | null | undefined)[];
  /** The map that was followed. */
  map: SlotMap;
}

/**
 * Finds the primary of each entry in one pass over all keys, and fails the
 * entries that have none. Rejects when the topology cannot be had.
 *
 * @param finished told of each piece of a split command that is done
 */
export async function plan(
  context: Context,
  entries: Entry[],
  finished: (piece: Entry) => void,
): Promise<Plan> {
  const { topology, settings } = context;
  const keys: Key[] = [];
  const counts = new Uint32Array(entries.length);
  entries.forEach(({ command }, i) => {
    counts[i] = context.keys.collect(command, keys);
  });
  const seen = topology.generation;
  let map = await topology.current(settings.topologyTimeout);
  let route = map.route(keys, counts);
  if (route.unowned.length > 0 && topology.generation === seen) {
    // The map at hand may be older than the owner of the slot.
    await topology.refresh(seen, settings.topologyTimeout);
    map = await topology.current(settings.topologyTimeout);
    route = map.route(keys, counts);
  }
  entries.forEach((entry, i) => {
    entry.slot = route.slots[i] as number;
  });
  return new Planner(context, entries, map, route, finished).assign(counts);
}

class Planner {
  readonly #keys: (string | null | undefined)[];
  /** What is sent where commands are split; pieces that are divided add theirs. */
  readonly #sent: Entry[] = [];
  readonly #readers = new Map<Primary, ReturnType<typeof readerOf>>();

  constructor(
    readonly context: Context,
    readonly entries: Entry[],
    readonly map: SlotMap,
    readonly route: Routing,
    readonly finished: (piece: Entry) => void,
  ) {
    this.#keys = new Array(entries.length);
  }

  assign(counts: Uint32Array): Plan {
    const { map, route } = this;
    for (const { node, indices } of route.groups) this.#toPrimary(node, indices);
    const [lowest] = map.primaries;
    if (lowest) this.#toPrimary(lowest, route.keyless);
    for (const i of route.unowned) this.#keys[i] = this.#orphan(this.#entry(i));
    const pieces = this.#split(counts);
    if (pieces.size > 0) return this.#withPieces(pieces);
    return { entries: this.entries, keys: this.#keys, map };
  }

  #entry(i: number): Entry {
    return this.entries[i] as Entry;
  }

  #toPrimary(node: Primary, indices: Uint32Array): void {
    for (const i of indices) this.#keys[i] = this.#keyFor(this.#entry(i), node);
  }

  #keyFor(entry: Entry, node: Primary): string | null {
    let reader = this.#readers.get(node);
    if (!reader) {
      reader = readerOf(this.context, node);
      this.#readers.set(node, reader);
    }
    const key = this.context.topology.keyOf(node);
    const replica = reader(entry.command);
    entry.atReplica = replica !== null && replica !== key;
    return replica ?? key;
  }

  /** An entry whose slot nobody owns, as far as the map knows. */
  #orphan(entry: Entry): string | undefined {
    const key = this.context.topology.learned(entry.slot);
    if (key === undefined) entry.fail(unowned(entry, this.context.keys.of(entry.command)));
    return key;
  }

  /** The pieces of each command over several slots, by its position; refuses the others. */
  #split(counts: Uint32Array): Map<number, Entry[]> {
    const all = new Map<number, Entry[]>();
    let from = 0;
    let counted = 0;
    for (const i of this.route.crossSlot) {
      for (; counted < i; counted++) from += counts[counted] as number;
      const entry = this.#entry(i);
      const how = this.context.settings.splitMultiKey && splitOf(entry.command.name);
      const slots = this.route.keySlots.subarray(from, from + (counts[i] as number));
      if (!how) entry.fail(crossSlot(entry, this.context.keys.of(entry.command)));
      else if (!entry.done)
        all.set(
          i,
          split(entry, how, slots, this.finished, (parts) => {
            this.#sent.push(...parts);
          }),
        );
    }
    return all;
  }

  #withPieces(pieces: ReadonlyMap<number, Entry[]>): Plan {
    const plan: Plan = { entries: this.#sent, keys: [], map: this.map };
    this.entries.forEach((entry, i) => {
      for (const piece of pieces.get(i) ?? []) {
        const owner = this.map.ownerOf(piece.slot);
        plan.keys.push(owner ? this.#keyFor(piece, owner) : this.#orphan(piece));
        plan.entries.push(piece);
      }
      if (pieces.has(i)) return;
      plan.keys.push(this.#keys[i]);
      plan.entries.push(entry);
    });
    return plan;
  }
}
