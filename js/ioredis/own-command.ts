import { keySlot } from '../index.js';
import { splitOf } from '../split.js';
import type { WireCommand } from './client.js';
import { splitKeys } from './command-keys.js';
import type { Entry } from './entry.js';

type Argument = string | Buffer;
type Resolve = WireCommand['resolve'];
type Reject = WireCommand['reject'];

/** What ioredis' `Command` makes of a reply. */
export interface Transform {
  readonly replyEncoding: string | null;
  readonly transformReply: (this: WireCommand, reply: unknown) => unknown;
}

const END = Buffer.from('\r\n');

/**
 * A command that the package makes itself, of what an ioredis `Command` does only
 * what a connection asks of it: its arguments are prefixed and text or Buffers
 * already, and its entry tells how it ends. One of ioredis takes several times as
 * long to make and to collect.
 */
export class OwnCommand implements WireCommand {
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
  #isDone = false;
  #error: Error | null = null;
  #value: unknown;
  #promise: Promise<unknown> | null = null;
  #settle: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** Takes from ioredis' class what is not here: a release to come may ask for it. */
  static adopt(own: object): void {
    for (const name of Object.getOwnPropertyNames(own)) {
      if (name in OwnCommand.prototype) continue;
      const descriptor = Object.getOwnPropertyDescriptor(own, name) as PropertyDescriptor;
      Object.defineProperty(OwnCommand.prototype, name, descriptor);
    }
  }

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

  /** Made when it is used, since connections ask for it with each command and tell nobody. */
  get promise(): Promise<unknown> {
    return this.#promise ?? (new Asked(this) as unknown as Promise<unknown>);
  }

  /** @internal */
  made(): Promise<unknown> {
    if (this.#promise) return this.#promise;
    this.#promise = new Promise((resolve, reject) => {
      this.#settle = () => (this.#error ? reject(this.#error) : resolve(this.#value));
    });
    this.#promise.catch(() => {});
    if (this.#isDone) this.#settle?.();
    return this.#promise;
  }

  getKeys(): Argument[] {
    const split = splitOf(this.name);
    return split ? (splitKeys(this.args, split) as Argument[]) : this.args.slice(0, 1);
  }

  getSlot(): number | null {
    const [key] = this.getKeys();
    return key === undefined ? null : keySlot(key);
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
  resolved(reply: unknown): unknown {
    try {
      this.#value = this.transformReply(reply);
      this.#conclude();
      return this.#value;
    } catch (error) {
      return this.reject(error as Error);
    }
  }

  /** Ends it for good. */
  rejected(error: Error): void {
    this.#error = error;
    this.#conclude();
  }

  transformReply(reply: unknown): unknown {
    const given = this.#transform ? this.#transform.transformReply.call(this, reply) : reply;
    return this.entry ? this.entry.transformed(given) : given;
  }

  /** RESP, as one text where all arguments are text. */
  toWritable(): string | Buffer {
    const { name, args } = this;
    let text = `*${args.length + 1}\r\n$${Buffer.byteLength(name)}\r\n${name}\r\n`;
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] as Argument;
      if (typeof arg !== 'string') return bytesOf(text, args, at);
      text += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
    }
    return text;
  }

  #conclude(): void {
    clearTimeout(this.#timer);
    this.#isDone = true;
    this.#settle?.();
  }
}

/** The promise of a command for whoever uses it. */
class Asked {
  readonly #command: OwnCommand;

  constructor(command: OwnCommand) {
    this.#command = command;
  }

  // biome-ignore lint/suspicious/noThenProperty: it stands for a promise
  then(...handlers: Parameters<Promise<unknown>['then']>): Promise<unknown> {
    return this.#command.made().then(...handlers);
  }

  catch(handler: Parameters<Promise<unknown>['catch']>[0]): Promise<unknown> {
    return this.#command.made().catch(handler);
  }

  finally(handler: () => void): Promise<unknown> {
    return this.#command.made().finally(handler);
  }
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
