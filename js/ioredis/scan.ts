import { setTimeout as sleep } from 'node:timers/promises';
import { keySlots, patternSlot, type SlotMap } from '../index.js';
import { SLOT_COUNT } from '../slot-count.js';
import type { Connection } from './client.js';
import { isWritable } from './connection.js';
import type { Context } from './context.js';
import { RedslotError } from './error.js';
import { interleave } from './interleave.js';
import { migrations } from './migration.js';
import { asBuffer } from './multi-key.js';
import { LONGEST_TIMER } from './options.js';
import { classify } from './redirect.js';
import { backoff } from './retry.js';
import { withDeadline } from './waiting.js';

/** What `scan()` looks for, and how. */
export interface ScanOptions {
  /** A glob; where `patternSlot` finds its slot, only the owner of that slot is asked. */
  readonly match?: string | Uint8Array;
  /** Keys of this type alone, such as `'hash'`; Redis 6 or later. */
  readonly type?: string;
  /** About how many keys a node looks at per call, as COUNT of SCAN. Default 1000. */
  readonly count?: number;
  /** How many primaries are asked at a time. Default 1. */
  readonly parallel?: number;
  /** Keys as Buffers. A key that is no UTF-8 text is itself only as a Buffer. */
  readonly buffer?: boolean;
  /**
   * Whether each key is given once. It takes memory for every key given, about a
   * hundred bytes; with false, SCAN's own repetitions and those of keys that
   * moved meanwhile are given too. Default true.
   */
  readonly unique?: boolean;
  /** Milliseconds that a node may take per call. Default as for pipelines. */
  readonly timeout?: number;
  /** Ends the scan: asking for the next key rejects with ABORTED. */
  readonly signal?: AbortSignal;
}

/** Who serves the slots, and where those go that are moving, by connection keys. */
interface View {
  readonly map: SlotMap;
  readonly moving: ReadonlyMap<number, string>;
}

/** Which process a cursor is of, and the socket by which that is known. */
interface Server {
  stream: unknown;
  run: string | null;
}

/** Nodes to scan, those of one group before those of the next, for the keys of some slots. */
interface Round {
  readonly groups: readonly ReadonlySet<string>[];
  /** Null for all. */
  readonly slots: ReadonlySet<number> | null;
}

/** Rounds after which a cluster that does not come to rest is an error. */
const ROUNDS = 16;

/**
 * Pages of the keys of a cluster. A slot that moves while its nodes are scanned,
 * or whose node fails, is scanned again: first where it comes from, then where it
 * goes, so that no key slips through between the two.
 */
export class Scan {
  readonly #context: Context;
  readonly #options: ReturnType<typeof checked>;
  /** The slots in question: one where the pattern names it, else all. */
  readonly #slots: readonly number[];
  readonly #seen = new Set<string>();

  constructor(context: Context, options: ScanOptions) {
    this.#context = context;
    this.#options = checked(options);
    const only = options.match === undefined ? null : patternSlot(options.match);
    this.#slots = only === null ? [...Array(SLOT_COUNT).keys()] : [only];
  }

  async *pages(): AsyncGenerator<Buffer[]> {
    let view = await this.#look();
    let round = this.#roundFor(view, this.#slots, null);
    for (let rounds = 1; round.groups.length > 0; rounds++) {
      const broken = new Set<string>();
      for (const group of round.groups) yield* this.#group(group, round.slots, broken);
      if (broken.size > 0) await this.#recover(rounds);
      const next = await this.#look();
      const isOrdered = round.slots !== null;
      const slots: readonly number[] = round.slots ? [...round.slots] : this.#slots;
      const open = slots.filter((slot) => !this.#isComplete(slot, view, next, broken, isOrdered));
      if (open.length > 0 && rounds === ROUNDS) throw unfinished(open, broken);
      round = this.#roundFor(next, open, new Set(open));
      view = next;
    }
    this.#requireOwners(view);
  }

  async #look(): Promise<View> {
    const { client, connections, settings, topology } = this.#context;
    topology.forget();
    const map = await topology.current(settings.topologyTimeout);
    const owners = new Set(this.#slots.map((slot) => map.ownerOf(slot)));
    const nodes = [...owners].map((node) => connections.get(topology.keyOf(node) ?? ''));
    const known = nodes.filter((node) => node !== undefined);
    const moving = await migrations(client, known, settings.topologyTimeout);
    for (const key of moving.values()) connections.bringIn(key);
    return { map, moving };
  }

  #ownerIn({ map }: View, slot: number): string | null {
    return this.#context.topology.keyOf(map.ownerOf(slot));
  }

  #roundFor(view: View, open: readonly number[], slots: Round['slots']): Round {
    const sources = new Set<string>();
    const targets = new Set<string>();
    for (const slot of open) {
      const owner = this.#ownerIn(view, slot);
      const target = view.moving.get(slot);
      if (owner !== null) sources.add(owner);
      if (target !== undefined) targets.add(target);
    }
    // The first round asks every node once; what moves is looked at again in order.
    if (slots === null) return { groups: withoutEmpty([union(sources, targets)]), slots };
    return { groups: withoutEmpty([sources, targets]), slots };
  }

  #isComplete(
    slot: number,
    before: View,
    after: View,
    broken: ReadonlySet<string>,
    isOrdered: boolean,
  ): boolean {
    const [owner, next] = [this.#ownerIn(before, slot), this.#ownerIn(after, slot)];
    const [to, nextTo] = [before.moving.get(slot), after.moving.get(slot)];
    if (next === null) return true;
    if (owner === null || broken.has(owner) || (to !== undefined && broken.has(to))) return false;
    if (owner === next && to === nextTo) return isOrdered || to === undefined;
    return isOrdered && to === next && nextTo === undefined;
  }

  async *#group(
    nodes: ReadonlySet<string>,
    slots: Round['slots'],
    broken: Set<string>,
  ): AsyncGenerator<Buffer[]> {
    const scans = [...nodes].map((key) => this.#node(key, broken));
    for await (const page of interleave(scans, this.#options.parallel)) {
      const fresh = this.#fresh(page, slots);
      if (fresh.length > 0) yield fresh;
    }
  }

  /** All keys of one node, or those until it fails. */
  async *#node(key: string, broken: Set<string>): AsyncGenerator<Buffer[]> {
    let cursor = '0';
    const server: Server = { stream: null, run: null };
    do {
      let page: [Buffer, Buffer[]];
      try {
        page = await this.#call(key, cursor, server);
      } catch (error) {
        if (!isPassing(error as Error)) throw error;
        broken.add(key);
        return;
      }
      cursor = String(page[0]);
      if (page[1].length > 0) yield page[1];
    } while (cursor !== '0');
  }

  async #call(key: string, cursor: string, server: Server): Promise<[Buffer, Buffer[]]> {
    const { connections } = this.#context;
    this.#requireGoingOn();
    const node = connections.get(key);
    if (node) await connections.settled(node);
    if (!node || !isWritable(node)) throw new RedslotError('UNREACHABLE', unreached(key));
    await this.#requireSame(node, key, server);
    const asked = node.callBuffer('scan', cursor, ...this.#options.args);
    return (await this.#inTime(asked)) as [Buffer, Buffer[]];
  }

  /** A cursor means nothing to a server that was restarted, as its hash function has a new seed. */
  async #requireSame(node: Connection, key: string, server: Server): Promise<void> {
    const { stream } = node;
    if (stream === server.stream) return;
    const told = await this.#inTime(node.callBuffer('info', 'server').catch(() => ''));
    const run = /run_id:(\w+)/.exec(String(told))?.[1] ?? null;
    if (server.stream !== null && (run === null || run !== server.run)) {
      throw new RedslotError('UNREACHABLE', `${key} may have been restarted`);
    }
    server.stream = stream;
    server.run = run;
  }

  #inTime(work: Promise<unknown>): Promise<unknown> {
    const { timeout = this.#context.settings.timeout } = this.#options;
    return withDeadline(this.#context.client, Math.min(timeout, LONGEST_TIMER), work);
  }

  #fresh(page: readonly Buffer[], slots: Round['slots']): Buffer[] {
    const places = slots ? keySlots(page) : null;
    return page.filter((key, at) => {
      if (places && !slots?.has(places[at] as number)) return false;
      if (!this.#options.unique) return true;
      const name = key.toString('latin1');
      if (this.#seen.has(name)) return false;
      this.#seen.add(name);
      return true;
    });
  }

  async #recover(rounds: number): Promise<void> {
    const { settings, topology } = this.#context;
    await sleep(backoff(rounds, settings));
    await topology.refreshPool(settings.topologyTimeout);
  }

  #requireGoingOn(): void {
    const { signal } = this.#options;
    if (!signal?.aborted) return;
    throw new RedslotError('ABORTED', 'The scan was aborted', { cause: signal.reason });
  }

  #requireOwners(view: View): void {
    const lost = this.#slots.filter((slot) => this.#ownerIn(view, slot) === null);
    if (lost.length === 0) return;
    throw new RedslotError(
      'UNOWNED',
      `The scan is not whole: ${lost.length} hash slots, the first ${lost[0]}, have no one primary ` +
        'that serves them and has an address. CLUSTER INFO tells whether all slots are assigned.',
      { slot: lost[0] as number },
    );
  }
}

function withoutEmpty(groups: readonly ReadonlySet<string>[]): ReadonlySet<string>[] {
  return groups.filter(({ size }) => size > 0);
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a, ...b]);
}

/** Whether a node may answer later, or another one in its place. */
function isPassing(error: Error): boolean {
  if (error instanceof RedslotError)
    return error.code === 'UNREACHABLE' || error.code === 'TOPOLOGY';
  return error.name !== 'ReplyError' || classify(error) !== null;
}

function unreached(key: string): string {
  return `There is no connection to ${key}`;
}

function unfinished(open: readonly number[], broken: ReadonlySet<string>): RedslotError {
  const why = broken.size > 0 ? `${[...broken].join(', ')} did not answer` : 'they kept moving';
  return new RedslotError(
    'UNREACHABLE',
    `The scan did not come to an end for ${open.length} hash slots, the first ${open[0]}: ${why}.`,
    { slot: open[0] as number, node: [...broken][0] ?? null },
  );
}

function checked(options: ScanOptions) {
  const { match, type, count = 1000, parallel = 1, unique = true, timeout, signal } = options;
  positive('count', count);
  positive('parallel', parallel);
  if (timeout !== undefined) positive('timeout', timeout);
  const args: (string | number | Uint8Array)[] = ['COUNT', count];
  if (match !== undefined) args.push('MATCH', typeof match === 'string' ? match : asBuffer(match));
  if (type !== undefined) args.push('TYPE', type);
  return {
    args,
    parallel,
    unique,
    ...(timeout !== undefined && { timeout }),
    ...(signal && { signal }),
  };
}

function positive(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new TypeError(`scan option ${name} must be a positive integer, not ${String(value)}`);
}
