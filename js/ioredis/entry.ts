import type { Reply, WireCommand } from './client.js';
import { OwnCommand } from './own-command.js';
import { lapsed } from './refusal.js';

/** One step of a command's way through the cluster. */
export interface Hop {
  /** `host:port` of the node that answered or could not be reached; null where none is known. */
  node: string | null;
  /** First word of its answer, such as MOVED, ASK or TRYAGAIN; CLOSED without one. */
  answer: string;
}

/**
 * What the reply of a command carries when a redirect made it run after a later
 * one of its slot: `(replies[i] as Reordered).reordered`.
 */
export interface Reordered {
  /** There and true only in that case. */
  readonly reordered?: true;
}

/** Told of an attempt that ended; the error is undefined when the server gave a value. */
export type Answered = (entry: Entry, error?: Error) => void;

/** Told once of each entry, with its final reply. */
export type Settled = (entry: Entry, reply: Reply) => void;

const NO_HOPS: readonly Hop[] = [];
const NO_VALUE = Symbol('no value');

/** A recorded command under way, at its position in the batch. */
export class Entry {
  readonly index: number;
  readonly command: WireCommand;
  /** Slot of the wire key; -1 for a command without one. */
  slot = -1;
  /** Redirects and waits so far, at all nodes together. */
  trail: readonly Hop[] = NO_HOPS;
  /** How often it was written to a connection. */
  attempts = 0;
  /** Connection key of the node that it was last written to. */
  node: string | null = null;
  /** To be preceded by ASKING in the next attempt. */
  asking = false;
  /** Why a server refused an ASKING before it, as it does for users without the right to. */
  askingError: Error | null = null;
  /** On its way to a replica, so that the primary is still to be tried. */
  atReplica = false;
  /** Number of the chunk that it leaves with while its slot is held; 0 for none. */
  chunk = 0;
  /** Waits for earlier commands of its slot. */
  parked = false;
  /** Attempts in a row for which ioredis held no connection to the node. */
  misses = 0;
  /** A later command of the same slot ran before this one. */
  reordered = false;
  done = false;
  /** An attempt ended without a reply, so the command may have been executed. */
  uncertain = false;
  /** The last attempt ended without a reply, and what to do about that is not decided yet. */
  unanswered = false;
  /** A server executed it and gave a value. */
  ran = false;
  /** Set while the command is written and its answer outstanding. */
  answered: Answered | null = null;
  readonly #settled: Settled;
  readonly #resolve: WireCommand['resolve'];
  readonly #reject: WireCommand['reject'];
  #replied = false;
  #value: unknown = NO_VALUE;

  /**
   * Takes over `resolve` and `reject` of the command, as ioredis' own cluster
   * does: what is held back stays unsettled, so it can be sent again and its
   * callback is called once.
   */
  constructor(index: number, command: WireCommand, settled: Settled) {
    this.index = index;
    this.command = command;
    this.#settled = settled;
    if (command instanceof OwnCommand) {
      this.#resolve = command.resolved;
      this.#reject = command.rejected;
      command.entry = this;
    } else {
      const own = Object.getPrototypeOf(command) as WireCommand;
      this.#resolve = command.resolve;
      this.#reject = command.reject;
      // Bound, because instrumentation calls what it replaced as a function.
      command.resolve = (value) => this.resolved(value);
      command.reject = (error) => this.rejected(error);
      command.transformReply = (reply) => this.transformed(own.transformReply.call(command, reply));
    }
  }

  /** Puts entries for one key each in its place; null for a command that stays whole. */
  divide(): Entry[] | null {
    return null;
  }

  /** Notes that the command is written to a node; `answered` is told the outcome. */
  begin(node: string, answered: Answered): void {
    this.node = node;
    this.attempts += 1;
    this.answered = answered;
  }

  /** Takes back `begin`, as ioredis could not serialize the command. */
  unwritten(error: Error): void {
    this.attempts -= 1;
    this.fail(error);
  }

  /** Settles the command with an error, whatever its attempt may still bring. */
  fail(error: Error): void {
    if (this.done) return;
    // A promise that nobody reads must not count as an unhandled rejection.
    this.command.promise.catch(() => {});
    this.#reject.call(this.command, error);
    this.#settle([error]);
  }

  /** @internal An error came: held back while an attempt is under way, final otherwise. */
  rejected(error: Error): void {
    // A value that ioredis cannot transform has been replied; the error is about it.
    if (this.#replied) this.fail(error);
    else if (this.answered) {
      this.unanswered = error.name !== 'ReplyError';
      this.#conclude(error);
    } else this.fail(lapsed(this, error));
  }

  /** @internal A value came; ioredis transforms it, or rejects it when that fails. */
  resolved(value: unknown): unknown {
    this.#replied = true;
    const promise = this.#resolve.call(this.command, value);
    if (this.#value !== NO_VALUE && !this.done) this.#settle([null, this.#value]);
    return promise;
  }

  /** @internal */
  transformed(value: unknown): unknown {
    this.#value = value;
    return value;
  }

  #settle(reply: Reply): void {
    this.done = true;
    this.ran = reply[0] === null;
    this.#settled(this, reply);
    this.#conclude();
  }

  #conclude(error?: Error): void {
    const { answered } = this;
    this.answered = null;
    answered?.(this, error);
  }
}
