import { type Primary, type Replica, SlotMap } from '../index.js';
import type { ClusterClient, Connection } from './client.js';
import { type Connections, connectionKey } from './connection.js';
import { publishRefresh } from './diagnostics.js';
import { RedslotError } from './error.js';
import { closed, connected, isClosed, withDeadline } from './waiting.js';

const CHANGES = ['refresh', '+node', '-node'];

/** How long a route told by MOVED outweighs a topology that says otherwise: gossip takes time. */
const LEARNED_MS = 10_000;

/**
 * The slot map of one cluster: fetched by CLUSTER SLOTS, kept until ioredis
 * reports a change or a redirect shows it to be stale, and corrected by the
 * redirects seen since.
 */
export class Topology {
  /** Counts the fetches, so that errors of one event lead to one fetch. */
  generation = 0;
  /** What a node said last when ioredis could not read the topology from it, as a clause. */
  trouble = '';
  readonly #client: ClusterClient;
  readonly #connections: Connections;
  readonly #learned = new Map<number, { key: string; until: number }>();
  #map: SlotMap | null = null;
  #stale = false;
  #fetching: Promise<SlotMap> | null = null;
  #connecting: Promise<void> | null = null;

  constructor(client: ClusterClient, connections: Connections) {
    this.#client = client;
    this.#connections = connections;
    for (const event of CHANGES) client.on(event, () => this.forget());
    client.on('node error', (error, node) => {
      this.trouble = `; ${node} said: ${(error as Error).message}`;
    });
  }

  /**
   * A map that is known to be stale serves when no newer one can be had, since
   * redirects correct it. Rejects with a `RedslotError`, CLOSED or TOPOLOGY,
   * within `timeout` milliseconds.
   */
  async current(timeout: number): Promise<SlotMap> {
    if (await isClosed(this.#client)) throw closed();
    if (this.#map && !this.#stale) return this.#map;
    try {
      return await this.#fetch(timeout);
    } catch (error) {
      if (this.#map && (error as RedslotError).code !== 'CLOSED') return this.#map;
      throw error;
    }
  }

  /**
   * The same, but fetched again where redirects told more than the map at hand: the
   * node that gave it had not heard of the move yet.
   */
  newest(timeout: number): Promise<SlotMap> {
    if (this.#learned.size > 0) this.forget();
    return this.current(timeout);
  }

  /** Has the next batch fetch the topology; those under way keep the old one meanwhile. */
  forget(): void {
    this.#stale = true;
  }

  /**
   * Fetches the topology unless that was done since generation `seen`. A failed
   * fetch keeps the old map: it is a better guess than none.
   */
  async refresh(seen: number, timeout: number): Promise<void> {
    if (this.generation > seen) return;
    await this.#fetch(timeout).catch(() => {});
  }

  /** Has ioredis read the topology too, which connects it to nodes it did not know. */
  async refreshPool(timeout: number): Promise<void> {
    const refreshed = new Promise<void>((resolve) => {
      // A failed refresh leaves the pool as it is, and that is what the caller looks at next.
      this.#client.refreshSlotsCache(() => resolve());
    });
    await withDeadline(this.#client, timeout, refreshed).catch(() => {});
  }

  /** Notes the connection key that MOVED named for a slot, until a fetched topology agrees. */
  learn(slot: number, key: string): void {
    this.#learned.set(slot, { key, until: Date.now() + LEARNED_MS });
  }

  /** Forgets that a redirect named a connection for a slot, as the node cannot be reached. */
  doubt(slot: number, key: string): void {
    if (this.#learned.get(slot)?.key === key) this.#learned.delete(slot);
  }

  /** Connection key that a redirect named for a slot, or undefined. */
  learned(slot: number): string | undefined {
    return this.#learned.size > 0 ? this.#learned.get(slot)?.key : undefined;
  }

  /**
   * Connection key of the primary that serves a slot, or null for none. Commands
   * without a key, slot -1, go to the primary that owns the lowest slot.
   */
  route(slot: number): string | null {
    if (slot < 0) return this.keyOf(this.#map?.primaries[0]);
    return this.learned(slot) ?? this.keyOf(this.#map?.ownerOf(slot));
  }

  /** Whether a slot has an owner that announced no address. */
  isNameless(slot: number): boolean {
    const owner = slot < 0 ? this.#map?.primaries[0] : this.#map?.ownerOf(slot);
    return owner ? owner.endpoint === null : false;
  }

  /** Connection key of a node, or null for one that announced no address. */
  keyOf(node: Primary | Replica | null | undefined): string | null {
    const endpoint = node?.endpoint;
    return endpoint ? connectionKey(endpoint, this.#client.options.natMap) : null;
  }

  #fetch(timeout: number): Promise<SlotMap> {
    this.#fetching ??= this.#fetchNow(timeout).finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetchNow(timeout: number): Promise<SlotMap> {
    const begin = performance.now();
    let primaries: number | null = null;
    try {
      const map = this.#adopt(await this.#ask(timeout));
      primaries = map.primaries.length;
      return map;
    } finally {
      publishRefresh({ primaries, milliseconds: performance.now() - begin });
    }
  }

  #adopt(map: SlotMap): SlotMap {
    this.#map = map;
    this.#stale = false;
    this.trouble = '';
    this.generation += 1;
    for (const [slot, { key, until }] of this.#learned) {
      if (this.keyOf(map.ownerOf(slot)) === key || until < Date.now()) this.#learned.delete(slot);
    }
    return map;
  }

  async #ask(timeout: number): Promise<SlotMap> {
    try {
      return await withDeadline(this.#client, timeout, this.#search(timeout), () => this.trouble);
    } catch (cause) {
      if (cause instanceof RedslotError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new RedslotError('TOPOLOGY', `CLUSTER SLOTS gave no topology: ${reason}`, { cause });
    }
  }

  /** Asks the nodes that can answer at once, one by one, and then lets ioredis pick and connect. */
  async #search(timeout: number): Promise<SlotMap> {
    await this.#connected();
    const limit = Math.min(timeout, this.#client.options.slotsRefreshTimeout ?? 1000);
    for (const node of this.#connections.ready()) {
      const map = await this.#askOne(node, limit).catch(() => null);
      if (map) return map;
    }
    return SlotMap.fromSlots(await this.#client.cluster('SLOTS'));
  }

  /** One listener for all who wait, however often they give up and come again. */
  #connected(): Promise<void> {
    this.#connecting ??= connected(this.#client).finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #askOne(node: Connection, timeout: number): Promise<SlotMap> {
    const reply = await withDeadline(this.#client, timeout, node.cluster('SLOTS'));
    const fallbackHost = node.options.host;
    return SlotMap.fromSlots(reply, fallbackHost ? { fallbackHost } : {});
  }
}
