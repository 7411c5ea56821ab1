import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './client.js';
import { isWritable } from './connection.js';
import type { Context } from './context.js';
import { publishRedirect } from './diagnostics.js';
import type { Entry } from './entry.js';
import { Holds } from './hold.js';
import { Lane } from './lane.js';
import type { Plan } from './plan.js';
import { closedOn, noAddress, noNode, unowned, unreachable } from './refusal.js';
import { markReordered, Regrouping } from './regrouping.js';
import { backoff, nextStep, type Step, spent } from './retry.js';
import { type Failure, transmit } from './transmit.js';
import { isClosed } from './waiting.js';

/** Refreshes of ioredis' pool after which a node that is still unknown is an error. */
const POOL_REFRESHES = 3;

/**
 * Tries after which a primary without an address is an error. Where hostnames are
 * preferred, a node answers "?" for another until it has heard its name.
 */
const NAMELESS_TRIES = 5;

/**
 * Moves entries over connections. Each connection has a lane; what a node
 * redirects goes to the head of the lane of the node it named. While commands of
 * a slot wait or are asked for elsewhere, later ones of that slot are held.
 */
export class Dispatcher {
  readonly #context: Context;
  readonly #lanes = new Map<string, Lane>();
  readonly #holds = new Holds();
  #freed: Entry[] = [];
  readonly #ended: () => AbortSignal;
  readonly #crash: (error: unknown) => void;

  /**
   * Pauses end with the signal that `ended` gives; `crash` is told what no reply
   * accounts for, such as an error thrown by a `natMap` function.
   */
  constructor(context: Context, ended: () => AbortSignal, crash: (error: unknown) => void) {
    this.#context = context;
    this.#ended = ended;
    this.#crash = crash;
  }

  /** Sends each entry by the key of the same position. */
  start({ entries, keys }: Plan): void {
    const unrouted: Entry[] = [];
    entries.forEach((entry, i) => {
      const key = keys[i];
      if (key) this.#lane(key).append(entry);
      else if (key === null) unrouted.push(entry);
    });
    this.#unrouted(unrouted);
    for (const lane of [...this.#lanes.values()]) this.#pump(lane);
  }

  /** To be told of each entry that is done, so that what waited for it goes on. */
  settled(entry: Entry): void {
    if (this.#holds.any) this.#free(this.#holds.release(entry));
  }

  /** All that is freed by the replies of one moment is queued at once. */
  #free(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    if (this.#freed.length === 0) {
      queueMicrotask(() => {
        const freed = this.#freed;
        this.#freed = [];
        this.#goOn(freed).catch(this.#crash);
      });
    }
    for (const entry of entries) this.#freed.push(entry);
  }

  #lane(key: string): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = new Lane(key);
    this.#lanes.set(key, lane);
    return lane;
  }

  #pump(lane: Lane): void {
    if (!lane.busy) this.#drain(lane).catch(this.#crash);
  }

  async #drain(lane: Lane): Promise<void> {
    lane.busy = true;
    const next = () => {
      const chunk = this.#holds.nextChunk();
      return lane.take(this.#context.settings, (entry) => this.#divert(entry, lane, chunk));
    };
    try {
      for (let chunk = next(); chunk.length > 0; chunk = next()) await this.#send(lane, chunk);
    } finally {
      // Also after a crash, as batches of the same session may follow.
      lane.busy = false;
    }
  }

  /** Takes an entry off a lane that it must not, or not yet, travel. */
  #divert(entry: Entry, lane: Lane, chunk: number): boolean {
    if (!this.#holds.mayLeave(entry, chunk)) {
      this.#holds.park([entry]);
      return true;
    }
    const key = entry.asking ? undefined : this.#context.topology.learned(entry.slot);
    if (key === undefined || key === lane.key) return false;
    // Redirects may send later ones of its slot elsewhere before it leaves.
    this.#holds.add([entry]);
    const better = this.#lane(key);
    better.append(entry);
    this.#pump(better);
    return true;
  }

  async #send(lane: Lane, chunk: Entry[]): Promise<void> {
    const { connections, topology } = this.#context;
    const seen = topology.generation;
    const connection = connections.get(lane.key);
    if (connection) await connections.settled(connection);
    const ready = connection !== undefined && isWritable(connection);
    const open = chunk.some(({ done }) => done) ? chunk.filter(({ done }) => !done) : chunk;
    if (open.length === 0) return;
    if (!ready) {
      const [reads, others] = splitBy(open, ({ atReplica }) => atReplica);
      for (const entry of reads) entry.atReplica = false;
      // The primary can serve them at once.
      this.#requeue(reads);
      this.#unsent(lane, others, connection === undefined, seen);
      return;
    }
    const failures = await transmit(connections, connection, open);
    if (failures.length > 0) this.#digest(connection, lane.key, open, failures, seen);
  }

  #digest(
    connection: Connection,
    key: string,
    chunk: readonly Entry[],
    failures: Failure[],
    seen: number,
  ): void {
    const again = new Regrouping();
    for (const { entry, error } of failures.sort((a, b) => a.entry.index - b.entry.index)) {
      entry.atReplica = false;
      const own = nextStep(this.#context, connection, key, entry, error);
      if (!own) continue;
      const { answer = 'CLOSED' } = entry.trail.at(-1) ?? {};
      const { to } = this.#regroup(again, entry, answer, own);
      publishRedirect({ answer, slot: entry.slot < 0 ? null : entry.slot, from: key, to });
    }
    const { groups, held } = again;
    for (const { entries } of [...groups, { entries: held }]) markReordered(chunk, entries);
    for (const { step, entries } of groups) this.#follow(step, entries, seen);
    this.#holds.park(held);
  }

  #regroup(again: Regrouping, entry: Entry, answer: string, own: Step): Step {
    const isTorn = answer === 'TRYAGAIN' || answer === 'ASK';
    const parts = isTorn ? entry.divide() : null;
    if (parts === null) return again.add(entry, own);
    // Keys may be on both sides of a migration, so each is asked for by itself. Redis 6 answers
    // ASK then, and the other side TRYAGAIN, when later commands of the slot have run already.
    const to = this.#context.topology.route(entry.slot);
    return again.addParts(entry.slot, parts, { to, asking: false, refresh: false });
  }

  #follow(step: Step, entries: Entry[], seen: number): void {
    const refresh = () => (step.refresh ? this.#refresh(seen) : Promise.resolve());
    if (step.to === null) {
      this.#later(entries, refresh);
      return;
    }
    for (const entry of entries) entry.asking = step.asking;
    this.#holds.add(entries);
    refresh();
    this.#prepend(step.to, entries);
  }

  #unsent(lane: Lane, chunk: readonly Entry[], missing: boolean, seen: number): void {
    const { connections, settings, topology } = this.#context;
    const known = missing ? connections.keys() : [];
    const entries = chunk.filter((entry) => {
      entry.asking = false;
      topology.doubt(entry.slot, lane.key);
      // A node that is down comes and goes in ioredis' pool: only an unknown one stays away.
      entry.misses = missing ? entry.misses + 1 : 0;
      if (entry.misses > POOL_REFRESHES) entry.fail(noNode(entry, lane.key, known));
      else if (spent(this.#context, entry, lane.key)) entry.fail(unreachable(entry, lane.key));
      else return true;
      return false;
    });
    this.#later(entries, async () => {
      if (missing) await topology.refreshPool(settings.topologyTimeout);
      await this.#refresh(seen);
    });
  }

  #refresh(seen: number): Promise<void> {
    const { settings, topology } = this.#context;
    return topology.refresh(seen, settings.topologyTimeout);
  }

  /** Routes entries anew after a pause and what is to be done in it. */
  #later(entries: readonly Entry[], prepare: () => Promise<void>): void {
    if (entries.length === 0) return;
    this.#holds.add(entries);
    const attempts = entries.reduce((most, { trail }) => Math.max(most, trail.length), 1);
    this.#pause(backoff(attempts, this.#context.settings))
      .then(() => (entries.every(({ done }) => done) ? undefined : prepare()))
      .then(() => this.#goOn(entries))
      .catch(this.#crash);
  }

  async #goOn(entries: readonly Entry[]): Promise<void> {
    const isOver = await isClosed(this.#context.client);
    const open = entries.filter(({ done }) => !done);
    if (!isOver) this.#requeue(open);
    else for (const entry of open) entry.fail(closedOn(entry));
  }

  /** Ends early with the batch; by then every entry is done and none is sent again. */
  #pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.#ended() }).catch(() => {});
  }

  #requeue(entries: readonly Entry[]): void {
    const byKey = new Map<string, Entry[]>();
    const unrouted: Entry[] = [];
    for (const entry of entries) {
      // Where it was asked for may not be where it goes now.
      entry.asking = false;
      const key = this.#context.topology.route(entry.slot);
      const group = key === null ? unrouted : byKey.get(key);
      if (group) group.push(entry);
      else if (key !== null) byKey.set(key, [entry]);
    }
    for (const [key, group] of byKey) this.#prepend(key, group);
    this.#unrouted(unrouted);
  }

  #unrouted(entries: readonly Entry[]): void {
    const seen = this.#context.topology.generation;
    const waiting = entries.filter((entry) => {
      const isNameless = this.#context.topology.isNameless(entry.slot);
      entry.misses = isNameless ? entry.misses + 1 : 0;
      if (entry.misses > NAMELESS_TRIES) entry.fail(noAddress(entry));
      else if (spent(this.#context, entry, null)) entry.fail(unowned(entry));
      else return true;
      return false;
    });
    this.#later(waiting, () => this.#refresh(seen));
  }

  #prepend(key: string, entries: readonly Entry[]): void {
    const lane = this.#lane(key);
    lane.prepend(entries);
    this.#pump(lane);
  }
}

function splitBy(entries: readonly Entry[], test: (entry: Entry) => boolean): [Entry[], Entry[]] {
  return [entries.filter(test), entries.filter((entry) => !test(entry))];
}
