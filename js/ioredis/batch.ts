import { setMaxListeners } from 'node:events';
import type { Reply, WireCommand } from './client.js';
import type { Context } from './context.js';
import { type BatchMessage, publishBatch } from './diagnostics.js';
import { Entry, type Settled } from './entry.js';
import { OwnCommand } from './own-command.js';
import { plan } from './plan.js';
import { aborted, abortedUnsent, timedOut, unsupported } from './refusal.js';
import { Session } from './session.js';
import { unsupportedReason } from './unsupported.js';

/** What a batch that is one of several shares with the others. */
export interface Shared {
  readonly session: Session;
  /** Told of each command's reply as it comes. */
  readonly settled: Settled;
}

/** The commands of one `exec()`, from admission to their replies. */
export class Batch {
  /** Resolves once each command has its reply. */
  readonly allDone: Promise<void>;
  readonly #context: Context;
  readonly #shared: Shared | null;
  readonly #session: Session;
  readonly #first: number;
  readonly #replies: Reply[];
  /** What is under way: pieces in place of the commands that are split. */
  #sent: Entry[];
  #isPlanned = false;
  #finish: () => void = () => {};
  #open: number;
  #errors = 0;
  /** Of the commands that may have a callback, the last that ended. */
  #last: WireCommand | null = null;

  constructor(context: Context, commands: readonly WireCommand[], shared: Shared | null = null) {
    this.#context = context;
    this.#shared = shared;
    this.#session = shared?.session ?? new Session(context);
    this.#first = this.#session.number(commands.length);
    this.#replies = new Array(commands.length);
    this.#open = commands.length;
    this.allDone = new Promise((resolve) => {
      this.#finish = resolve;
    });
    const settled = this.#settled.bind(this);
    this.#sent = commands.map((command, at) => new Entry(this.#first + at, command, settled));
  }

  /**
   * Resolves to one reply per command, in call order. Rejects only when nothing
   * was sent, and rejects each command then, so that no callback is left waiting.
   */
  async run(): Promise<Reply[]> {
    if (this.#open === 0) return [];
    const begin = performance.now();
    const timer = this.#startTimer();
    const { signal } = this.#context.settings;
    if (signal) {
      // One signal may end any number of batches; one of another kind knows no limit.
      if (signal instanceof EventTarget) setMaxListeners(0, signal);
      signal.addEventListener('abort', this.#abort);
    }
    try {
      const sendable = this.#refuseUnsupported();
      if (sendable.length > 0) await Promise.race([this.#start(sendable), this.allDone]);
      await this.allDone;
      return this.#replies;
    } catch (error) {
      this.failOpen(() => error as Error);
      throw error;
    } finally {
      await this.#calledBack();
      clearTimeout(timer);
      signal?.removeEventListener('abort', this.#abort);
      if (!this.#shared) this.#session.end();
      publishBatch(() => this.#message(performance.now() - begin));
    }
  }

  /** Fails what has no final reply yet. */
  failOpen(reason: (entry: Entry) => Error): void {
    for (const entry of this.#sent) if (!entry.done) entry.fail(reason(entry));
  }

  /** Resolves once all callbacks were called: iovalkey takes more than one microtask to do so. */
  async #calledBack(): Promise<void> {
    await this.#last?.promise.catch(() => {});
  }

  /** Gives the entries that remain. */
  #refuseUnsupported(): Entry[] {
    let refused = 0;
    for (const entry of this.#sent) {
      const reason = unsupportedReason(entry.command);
      if (!reason) continue;
      entry.fail(unsupported(entry, reason));
      refused += 1;
    }
    return refused > 0 ? this.#sent.filter(({ done }) => !done) : this.#sent;
  }

  async #start(entries: Entry[]): Promise<void> {
    const { signal } = this.#context.settings;
    if (signal?.aborted) throw abortedUnsent(signal.reason);
    await this.#session.start(this, async () => {
      const planned = await plan(this.#context, entries, (piece) =>
        this.#session.dispatcher.settled(piece),
      );
      this.#sent = planned.entries;
      this.#isPlanned = true;
      return planned;
    });
  }

  readonly #abort = (): void => {
    const reason = this.#context.settings.signal?.reason;
    this.failOpen((entry) => aborted(entry, reason));
  };

  #message(milliseconds: number): BatchMessage {
    return { commands: this.#replies.length, errors: this.#errors, milliseconds };
  }

  #settled(entry: Entry, reply: Reply): void {
    if (reply[0]) this.#errors += 1;
    if (!(entry.command instanceof OwnCommand)) this.#last = entry.command;
    this.#session.dispatcher.settled(entry);
    // Replies that nobody reads are not kept until the batch is done.
    if (this.#shared) this.#shared.settled(entry, reply);
    else this.#replies[entry.index - this.#first] = entry.reordered ? asReordered(reply) : reply;
    this.#open -= 1;
    if (this.#open === 0) this.#finish();
  }

  #startTimer(): NodeJS.Timeout | undefined {
    const { timeout } = this.#context.settings;
    if (timeout === Number.POSITIVE_INFINITY) return undefined;
    return setTimeout(() => {
      // Another node may have taken over from the silent one, and no connection tells of it.
      this.#context.topology.forget();
      const reason = this.#isPlanned ? '' : this.#context.topology.trouble;
      this.failOpen((entry) => timedOut(entry, timeout, reason));
    }, timeout);
  }
}

/** Not enumerable, so that the reply still equals one that came in order. */
function asReordered(reply: Reply): Reply {
  return Object.defineProperty(reply, 'reordered', { value: true });
}
