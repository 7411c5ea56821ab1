import type { Primary, Routing, SlotMap } from '../index.js';
import type { Context } from './context.js';
import type { Entry } from './entry.js';
import type { RedslotError } from './error.js';
import { crossSlot, unowned } from './refusal.js';
import { readerOf } from './replica.js';

type Key = string | Uint8Array;

/**
 * Connection key for each entry: null where its primary announced no address,
 * undefined where it was refused.
 */
export type Plan = (string | null | undefined)[];

/**
 * Finds the primary of each entry in one pass over all keys, and fails the
 * entries that have none. Rejects when the topology cannot be had.
 */
export async function plan(context: Context, entries: readonly Entry[]): Promise<Plan> {
  const { topology, settings } = context;
  const keys: Key[] = [];
  const counts = Uint32Array.from(entries, ({ command }) => context.keys.collect(command, keys));
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
  return new Planner(context, entries).assign(map, route);
}

class Planner {
  readonly #plan: Plan;

  constructor(
    readonly context: Context,
    readonly entries: readonly Entry[],
  ) {
    this.#plan = new Array(entries.length);
  }

  assign(map: SlotMap, route: Routing): Plan {
    for (const { node, indices } of route.groups) this.#toPrimary(node, indices);
    const [lowest] = map.primaries;
    if (lowest) this.#toPrimary(lowest, route.keyless);
    for (const i of route.crossSlot) this.#fail(i, crossSlot);
    for (const i of route.unowned) {
      const key = this.context.topology.learned(route.slots[i] as number);
      if (key === undefined) this.#fail(i, unowned);
      else this.#plan[i] = key;
    }
    return this.#plan;
  }

  #toPrimary(node: Primary, indices: Uint32Array): void {
    const key = this.context.topology.keyOf(node);
    const reader = readerOf(this.context, node);
    for (const i of indices) {
      const entry = this.entries[i] as Entry;
      const replica = reader(entry.command);
      this.#plan[i] = replica ?? key;
      entry.atReplica = replica !== null && replica !== key;
    }
  }

  #fail(i: number, reason: (entry: Entry, keys: readonly Key[]) => RedslotError): void {
    const entry = this.entries[i] as Entry;
    entry.fail(reason(entry, this.context.keys.of(entry.command)));
  }
}
