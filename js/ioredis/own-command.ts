import { tracingChannel } from 'node:diagnostics_channel';
import type { WireCommand } from './client.js';
import { prefixed } from './command-keys.js';
import type { Entry } from './entry.js';

type Argument = string | Buffer;
type Resolve = WireCommand['resolve'];
type Reject = WireCommand['reject'];

/** What ioredis' `Command` makes of a reply. */
export interface Transform {
  readonly replyEncoding: string | null;
  readonly transformReply: (this: WireCommand, reply: unknown) => unknown;
}

const traced = tracingChannel('ioredis:command');
const DONE = Promise.resolve();
const END = Buffer.from('\r\n');

/**
 * A command that the package makes itself, of what an ioredis `Command` does only
 * what a connection asks of it: its arguments are prefixed and text or Buffers
 * already, and its entry tells how it ends. One of ioredis takes several times as
 * long to make and to collect.
 */
export class OwnCommand implements WireCommand {
  /** In ASCII. */
  readonly name: string;
  readonly args: Argument[];
  readonly #transform: Transform | null;
  pipelineIndex = 0;
  isTraced = false;
  protocol: unknown;
  replyMapping: unknown;
  /** Told how it ends, in place of those who asked for it. */
  entry: Entry | null = null;
  #resolve: Resolve | null = null;
  #reject: Reject | null = null;
  #promise: Promise<unknown> | null = null;
  #end: ((error: Error | null) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param transform how ioredis would give its reply; otherwise it stays as it came */
  constructor(name: string, args: Argument[] = [], transform: Transform | null = null) {
    this.name = name;
    this.args = args;
    this.#transform = transform;
  }

  /** Looked at by ioredis' transformation of replies. */
  get replyEncoding(): string | null | undefined {
    return this.#transform?.replyEncoding;
  }

  /** Read by ioredis' tracing alone, so without subscribers nothing has to settle. */
  get promise(): Promise<unknown> {
    // Where Node does not tell, there may be subscribers.
    if (this.#promise === null && traced.hasSubscribers === false) return DONE;
    this.#promise ??= new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve(undefined));
    });
    this.#promise.catch(() => {});
    return this.#promise;
  }

  getKeys(): never[] {
    return [];
  }

  /** What ioredis 6 tells of the connection. */
  setReplyContext(context?: { protocol?: unknown; replyMapping?: unknown }): void {
    this.protocol = context?.protocol ?? 2;
    this.replyMapping = context?.replyMapping ?? 'legacy';
  }

  /** Of the option `commandTimeout`. */
  setTimeout(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.reject(new Error('Command timed out')), milliseconds);
  }

  // Bound when they are asked for, because instrumentation calls what it replaced as a function.

  get resolve(): Resolve {
    return this.#resolve ?? ((value) => (this.entry ?? this).resolved(value));
  }

  set resolve(instrumented: Resolve) {
    this.#resolve = instrumented;
  }

  get reject(): Reject {
    return this.#reject ?? ((error) => (this.entry ?? this).rejected(error));
  }

  set reject(instrumented: Reject) {
    this.#reject = instrumented;
  }

  /** Ends it for good with what a server gave. */
  resolved(value: unknown): unknown {
    this.#conclude(null);
    try {
      return this.transformReply(value);
    } catch (error) {
      return this.reject(error as Error);
    }
  }

  /** Ends it for good. */
  rejected(error: Error): void {
    this.#conclude(error);
  }

  transformReply(reply: unknown): unknown {
    const given = this.#transform ? this.#transform.transformReply.call(this, reply) : reply;
    return this.entry ? this.entry.transformed(given) : given;
  }

  /** RESP, as one text where all arguments are text. */
  toWritable(): string | Buffer {
    const { name, args } = this;
    let text = `*${args.length + 1}\r\n$${name.length}\r\n${name}\r\n`;
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] as Argument;
      if (typeof arg !== 'string') return bytesOf(text, args, at);
      text += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
    }
    return text;
  }

  #conclude(error: Error | null): void {
    clearTimeout(this.#timer);
    this.#end?.(error);
  }
}

/** SET of one pair, with arguments for its time to live. */
export function setCommand(
  prefix: string | Uint8Array | undefined,
  [key, value]: readonly [Argument, Argument],
  expiry: readonly string[],
): OwnCommand {
  const args = [prefix ? prefixed(prefix, key) : key, value];
  return new OwnCommand('set', expiry.length > 0 ? [...args, ...expiry] : args);
}

/** The arguments from `first` on, behind the text of those before. */
function bytesOf(head: string, args: readonly Argument[], first: number): Buffer {
  const parts: Buffer[] = [Buffer.from(head)];
  for (const arg of args.slice(first)) {
    const bytes = typeof arg === 'string' ? Buffer.from(arg) : arg;
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, END);
  }
  return Buffer.concat(parts);
}
