import type { ClientValue, ClientKey as Key } from './argument.js';
import { Batch } from './batch.js';
import type { Reply, WireCommand } from './client.js';
import type { Context } from './context.js';
import type { Entry } from './entry.js';
import { RedslotError } from './error.js';
import { expiryOf, noKey, noValue, plainKey, plainValue } from './multi-key.js';
import { type BatchOptions, type RedslotOptions, settings } from './options.js';
import { maker } from './recorder.js';
import { Session } from './session.js';

/** A key with its value, or with `commands: true` a whole command: its name, then its arguments. */
export type LoadItem = readonly [Key, ClientValue] | readonly [string, ...unknown[]];

/** How `load()` reads and writes. */
export interface LoadOptions extends BatchOptions {
  /** Items are whole commands, such as `['zadd', 'board', 7, 'ann']`, and not pairs. Default false. */
  readonly commands?: boolean;
  /** Seconds after which each key expires; for pairs. */
  readonly ttl?: number;
  /** Most items that are read and not yet answered. Default 3000. */
  readonly inFlight?: number;
  /** Most bytes of arguments that are read and not yet answered. Default 16 MiB. */
  readonly inFlightBytes?: number;
  /** `'stop'` reads no more once a command failed; `'continue'` (the default) goes on. */
  readonly onError?: 'continue' | 'stop';
  /** How many failures the summary describes; all are counted. Default 100. */
  readonly keepFailures?: number;
  /** Called at most every 100 ms while there is progress, and once at the end. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** What happened at one node. */
export interface NodeLoad {
  /** Commands that it executed. */
  readonly written: number;
  /** Commands that failed there last. */
  readonly failed: number;
}

/** How far a load has come. */
export interface LoadProgress {
  /** Items taken from the source. */
  readonly read: number;
  /** Commands that a server executed. */
  readonly written: number;
  /** Commands that ended with an error. */
  readonly failed: number;
  /** How many of those that failed may have been executed all the same. */
  readonly unknown: number;
  /** Bytes of the arguments of what was written. */
  readonly bytes: number;
  /** Since the beginning. */
  readonly seconds: number;
  /** Commands written per second since the beginning. */
  readonly rate: number;
  /** By connection, `host:port`; without commands that were split over several. */
  readonly nodes: Readonly<Record<string, NodeLoad>>;
}

/** A command that ended with an error. */
export interface LoadFailure {
  /** Position of the item in the source, from 0. */
  readonly position: number;
  /** Name of the command. */
  readonly command: string;
  /** Its first key, as it went over the wire, or null. */
  readonly key: Key | null;
  /** The error of the server, or a `RedslotError` that tells whether it was executed. */
  readonly error: Error;
}

/** What came of a load. */
export interface LoadSummary extends LoadProgress {
  /** The first failures, in the order in which they became known. */
  readonly failures: readonly LoadFailure[];
  /** Whether the source was read to its end. */
  readonly complete: boolean;
}

/** A load that was aborted (ABORTED), or whose source or `onProgress` threw (FAILED). */
export class LoadError extends RedslotError {
  override readonly name = 'LoadError';
  declare readonly code: 'ABORTED' | 'FAILED';
  /** What was done until then; nothing is under way any more. */
  readonly summary: LoadSummary;

  /** The package makes them; an application does in its tests. */
  constructor(code: 'ABORTED' | 'FAILED', message: string, cause: unknown, summary: LoadSummary) {
    super(code, message, { cause, executed: summary.written > 0 ? 'unknown' : 'no' });
    this.summary = summary;
  }
}

const PORTION = 1000;
const PORTION_BYTES = 1 << 20;
/** Milliseconds after which a portion leaves although the source gives no more yet. */
const LINGER = 20;
const PROGRESS_EVERY = 100;
/** Part of what may be in flight at which a source is read on. */
const DRAINED = 0.75;

/** Writes what a source gives; `redslot().load` describes it. */
export function load(
  context: Context,
  options: RedslotOptions,
  source: Iterable<LoadItem> | AsyncIterable<LoadItem>,
  own: LoadOptions = {},
): Promise<LoadSummary> {
  const items = iteratorOf(source);
  const { timeout, resend, signal } = own;
  const chosen = settings({
    ...options,
    ...(timeout !== undefined && { timeout }),
    ...(resend !== undefined && { resend }),
    ...(signal && { signal }),
  });
  const { destroy } = source as Partial<{ destroy: () => void }>;
  const close = typeof destroy === 'function' ? destroy.bind(source) : null;
  return new Load({ ...context, settings: chosen }, items, close, checked(own)).run();
}

class Load {
  readonly #context: Context;
  readonly #items: Iterator<LoadItem> | AsyncIterator<LoadItem>;
  /** Of a stream. */
  readonly #destroy: (() => void) | null;
  readonly #options: Checked;
  readonly #session: Session;
  readonly #begin = performance.now();
  readonly #failures: LoadFailure[] = [];
  readonly #nodes = new Map<string, { written: number; failed: number }>();
  readonly #record: (item: LoadItem, position: number) => WireCommand;
  #portion = new Portion();
  #inFlight = 0;
  #inFlightBytes = 0;
  #read = 0;
  #written = 0;
  #failed = 0;
  #unknown = 0;
  #bytes = 0;
  #told = 0;
  #error: { cause: unknown } | null = null;
  #waiting: { condition: () => boolean; resume: () => void } | null = null;

  constructor(
    context: Context,
    items: Iterator<LoadItem> | AsyncIterator<LoadItem>,
    destroy: (() => void) | null,
    options: Checked,
  ) {
    this.#context = context;
    this.#items = items;
    this.#destroy = destroy;
    this.#options = options;
    this.#session = new Session(context);
    this.#record = recordOf(context, options);
  }

  async run(): Promise<LoadSummary> {
    const linger = setInterval(() => this.#send(), LINGER);
    const { signal } = this.#context.settings;
    const wake = () => this.#wake();
    signal?.addEventListener('abort', wake);
    let complete = false;
    try {
      complete = await this.#readAll();
    } catch (cause) {
      this.#error ??= { cause };
    }
    clearInterval(linger);
    // What was read is written, also when no more is to be read.
    this.#send();
    if (!complete) this.#closeSource();
    await this.#until(() => this.#inFlight === 0);
    signal?.removeEventListener('abort', wake);
    this.#session.end();
    this.#tell(0);
    return this.#conclude(complete);
  }

  /** True at the end of the source; false when it is to be read no more. */
  async #readAll(): Promise<boolean> {
    for (;;) {
      if (!this.#hasRoom()) {
        this.#send();
        await this.#until(() => this.#isDrained() || this.#stops());
      }
      if (this.#stops()) return false;
      const next = this.#items.next();
      // Awaiting what is there already would cost more than the rest.
      const { done, value } = isThenable(next) ? await this.#orStop(next) : next;
      if (this.#stops()) return false;
      if (done) return true;
      this.#add(value);
    }
  }

  /** What the source gives, or an end when the load is aborted before it gives anything. */
  #orStop(next: Promise<IteratorResult<LoadItem>>): Promise<IteratorResult<LoadItem>> {
    return new Promise((resolve, reject) => {
      next.then(resolve, reject);
      const resume = () => resolve({ done: true, value: undefined });
      this.#waiting = { condition: () => this.#stops(), resume };
    });
  }

  #add(item: LoadItem): void {
    const command = this.#record(item, this.#read);
    const bytes = sizeOf(command.args);
    this.#read += 1;
    this.#inFlight += 1;
    this.#inFlightBytes += bytes;
    this.#portion.add(command, bytes);
    if (this.#portion.isFull) this.#send();
  }

  #send(): void {
    const { commands, sizes } = this.#portion;
    if (commands.length === 0) return;
    this.#portion = new Portion();
    const first = this.#read - commands.length;
    const settled = (entry: Entry, reply: Reply) =>
      this.#settled(entry, reply, sizes[entry.index - first] as number);
    // What the batch rejects with it has told each command already.
    new Batch(this.#context, commands, { session: this.#session, settled }).run().catch(() => {});
  }

  #settled(entry: Entry, [error]: Reply, bytes: number): void {
    this.#inFlight -= 1;
    this.#inFlightBytes -= bytes;
    const counts = entry.node === null ? null : this.#countsOf(entry.node);
    if (error) {
      this.#failed += 1;
      if ((error as Partial<RedslotError>).executed === 'unknown') this.#unknown += 1;
      if (counts) counts.failed += 1;
      if (this.#failures.length < this.#options.keepFailures) this.#note(entry, error);
    } else {
      this.#written += 1;
      this.#bytes += bytes;
      if (counts) counts.written += 1;
    }
    this.#tell(PROGRESS_EVERY);
    this.#wake();
  }

  #countsOf(node: string) {
    let counts = this.#nodes.get(node);
    if (!counts) {
      counts = { written: 0, failed: 0 };
      this.#nodes.set(node, counts);
    }
    return counts;
  }

  #note({ index, command }: Entry, error: Error): void {
    this.#failures.push({
      position: index,
      command: command.name,
      key: this.#keyOf(command),
      error,
    });
  }

  #keyOf(command: WireCommand): Key | null {
    try {
      return this.#context.keys.of(command)[0] ?? null;
    } catch {
      // What made the command fail, perhaps: ioredis throws on some names, keysOf may throw too.
      return null;
    }
  }

  #hasRoom(): boolean {
    const { inFlight, inFlightBytes } = this.#options;
    return this.#inFlight < inFlight && this.#inFlightBytes < inFlightBytes;
  }

  /** Room for a good many, because to wait for each item's would cost more than to send it. */
  #isDrained(): boolean {
    const { inFlight, inFlightBytes } = this.#options;
    return this.#inFlight <= inFlight * DRAINED && this.#inFlightBytes <= inFlightBytes * DRAINED;
  }

  #stops(): boolean {
    if (this.#error || this.#context.settings.signal?.aborted) return true;
    return this.#options.onError === 'stop' && this.#failed > 0;
  }

  /** To be called when a condition may have come true. */
  #wake(): void {
    const waiting = this.#waiting;
    if (!waiting?.condition()) return;
    this.#waiting = null;
    waiting.resume();
  }

  #until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resume) => {
      this.#waiting = { condition, resume };
    });
  }

  #tell(every: number): void {
    const { onProgress } = this.#options;
    if (!onProgress) return;
    const now = performance.now();
    if (now - this.#told < every) return;
    this.#told = now;
    try {
      onProgress(this.#progress());
    } catch (cause) {
      this.#error ??= { cause };
    }
  }

  #progress(): LoadProgress {
    const seconds = (performance.now() - this.#begin) / 1000;
    const nodes = Object.fromEntries(
      [...this.#nodes].map(([node, counts]) => [node, { ...counts }]),
    );
    return {
      read: this.#read,
      written: this.#written,
      failed: this.#failed,
      unknown: this.#unknown,
      bytes: this.#bytes,
      seconds,
      rate: Math.round(this.#written / seconds),
      nodes,
    };
  }

  /** Lets a stream or generator end, as a loop that is left does. */
  #closeSource(): void {
    try {
      // A stream that gives nothing would not get to end its iterator.
      this.#destroy?.();
      // A generator that waits for its own source would keep the load waiting too.
      const closing = this.#items.return?.();
      if (isThenable(closing)) closing.then(undefined, () => {});
    } catch {
      // The error that the load ends with came first.
    }
  }

  #conclude(complete: boolean): LoadSummary {
    const summary = { ...this.#progress(), failures: this.#failures, complete };
    if (this.#error) {
      const { cause } = this.#error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const told = `The load ended after ${this.#read} items: ${reason}`;
      throw new LoadError('FAILED', told, cause, summary);
    }
    const { signal } = this.#context.settings;
    // Aborted when all had been written, it is done.
    if (!signal?.aborted || (complete && this.#failed === 0)) return summary;
    const told = `The load was aborted after ${this.#read} items`;
    throw new LoadError('ABORTED', told, signal.reason, summary);
  }
}

/** What is sent in one batch. */
class Portion {
  readonly commands: WireCommand[] = [];
  /** Bytes of arguments of each. */
  readonly sizes: number[] = [];
  #bytes = 0;

  add(command: WireCommand, bytes: number): void {
    this.commands.push(command);
    this.sizes.push(bytes);
    this.#bytes += bytes;
  }

  get isFull(): boolean {
    return this.commands.length >= PORTION || this.#bytes >= PORTION_BYTES;
  }
}

/** Makes the command for an item. */
function recordOf({ client, keys }: Context, { commands, expiry }: Checked) {
  const make = maker(client, keys);
  if (commands) return (item: LoadItem, at: number) => make(asCommand(item, at));
  return (item: LoadItem, at: number) => make(asSet(item, at, expiry));
}

function iteratorOf(source: unknown): Iterator<LoadItem> | AsyncIterator<LoadItem> {
  if (typeof source === 'object' && source !== null) {
    const some = source as Partial<AsyncIterable<LoadItem> & Iterable<LoadItem>>;
    if (typeof some[Symbol.asyncIterator] === 'function')
      return some[Symbol.asyncIterator]?.() as never;
    if (typeof some[Symbol.iterator] === 'function') return some[Symbol.iterator]?.() as never;
  }
  throw new TypeError('load takes an array, an iterator, an async iterator or a stream');
}

type Checked = ReturnType<typeof checked>;

function checked(options: LoadOptions) {
  const { commands = false, ttl, onError = 'continue', onProgress } = options;
  if (onError !== 'continue' && onError !== 'stop') {
    throw new TypeError("load option onError must be 'continue' or 'stop'");
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new TypeError('load option onProgress must be a function');
  }
  if (commands && ttl !== undefined) throw new TypeError('load option ttl is for pairs');
  const expiry = ttl === undefined ? [] : expiryOf(ttl);
  return {
    inFlight: count('inFlight', options.inFlight ?? 3000, 1),
    inFlightBytes: count('inFlightBytes', options.inFlightBytes ?? 1 << 24, 1),
    keepFailures: count('keepFailures', options.keepFailures ?? 100, 0),
    onError,
    ...(onProgress && { onProgress }),
    commands,
    expiry,
  };
}

function count(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`load option ${name} must be an integer from ${least}, not ${String(value)}`);
}

function asCommand(item: LoadItem, position: number): unknown[] {
  const [name, called]: unknown[] = Array.isArray(item) ? item : [];
  const isCall = name === 'call' || name === 'callBuffer';
  if (typeof name === 'string' && (!isCall || typeof called === 'string')) {
    if (!/^(multi|exec)$/i.test(name)) return item as never;
    throw new TypeError(`item ${position} is ${name}: a transaction cannot be loaded`);
  }
  throw new TypeError(`item ${position} must be a command: an array that starts with its name`);
}

function asSet(item: LoadItem, position: number, expiry: readonly string[]): unknown[] {
  if (!Array.isArray(item) || item.length !== 2) {
    throw new TypeError(`item ${position} must be a pair of key and value`);
  }
  const key = plainKey(item[0]) ?? noKey(`the key of item ${position}`);
  const value = plainValue(item[1]) ?? noValue(`the value of item ${position}`);
  return expiry.length > 0 ? ['set', key, value, ...expiry] : ['set', key, value];
}

function sizeOf(args: readonly unknown[]): number {
  let bytes = 0;
  for (const arg of args) {
    bytes += typeof arg === 'string' ? Buffer.byteLength(arg) : (arg as Uint8Array).length;
  }
  return bytes;
}

function isThenable<T>(value: T | PromiseLike<T> | undefined): value is Promise<Awaited<T>> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function';
}
