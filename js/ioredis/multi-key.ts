import { isUint8Array } from 'node:util/types';
import { keySlot } from '../index.js';
import type { ClientKey as Key, ClientValue as Value } from './argument.js';
import type { Reply, WireCommand } from './client.js';
import { type RedslotError, showKey } from './error.js';
import type { BatchOptions } from './options.js';
import { failureOf, type KeyFailure, PartialError, told } from './partial.js';
import type { Make } from './recorder.js';

type Argument = string | Buffer;

/** Key-value pairs: an array or iterator of pairs, a `Map`, or an object. */
export type Entries = Iterable<readonly [Key, Value]> | Readonly<Record<string, Value>>;

/** How `mget()` reads. */
export interface MgetOptions extends BatchOptions {
  /** Values as Buffers and not as text. Default false. */
  readonly buffer?: boolean;
}

/** How `mset()` writes. */
export interface MsetOptions extends BatchOptions {
  /** Seconds after which every key expires; a fraction is rounded to milliseconds. */
  readonly ttl?: number;
}

/**
 * Commands over any number of keys in any slots, one call each. They are sent as
 * one piece per slot and answered as by a single server, but they are not atomic.
 * Where a part fails they reject with a {@link PartialError}, which has the keys
 * that failed and what the others gave. Without keys nothing is sent.
 *
 * They throw (as a rejection) a `TypeError` for a key or value of another type, and a
 * {@link RedslotError} where the whole could not be sent.
 */
export interface MultiKey {
  /** The values as Buffers, null where there is none, in the order of the keys. */
  mget(keys: Iterable<Key>, options: MgetOptions & { buffer: true }): Promise<(Buffer | null)[]>;
  /** The values as text, null where there is none, in the order of the keys. */
  mget(keys: Iterable<Key>, options?: MgetOptions & { buffer?: false }): Promise<(string | null)[]>;
  /** Of a key that is given twice, the last value stays. With a `ttl`, one SET per key is sent. */
  mset(entries: Entries, options?: MsetOptions): Promise<'OK'>;
  /** Deletes; gives how many of the keys were there. One that is given twice counts once. */
  del(keys: Iterable<Key>, options?: BatchOptions): Promise<number>;
  /** As `del`; the server frees the memory later. */
  unlink(keys: Iterable<Key>, options?: BatchOptions): Promise<number>;
  /** How many of the keys are there. One that is given twice counts twice. */
  exists(keys: Iterable<Key>, options?: BatchOptions): Promise<number>;
  /** Notes that the keys were used; gives how many are there, one that is given twice twice. */
  touch(keys: Iterable<Key>, options?: BatchOptions): Promise<number>;
}

/** What the commands need of the wrapped cluster. */
export interface Sender {
  /** Makes a command of its array form. */
  readonly make: Make;
  /** Sends commands as one batch. */
  send(commands: readonly WireCommand[], options: BatchOptions): Promise<Reply[]>;
}

export function multiKey(sender: Sender): MultiKey {
  const one = async (name: string, args: unknown[], options: BatchOptions = {}, step = 1) => {
    // As one array, which ioredis takes too: a spread of many would not fit on the stack.
    const command = sender.make([name, args]);
    const [[error, result]] = (await sender.send([command], options)) as [Reply];
    if (!error) return result;
    throw asPartial(name, error, command.args.filter((_, at) => at % step === 0) as Key[]);
  };
  const count = (name: string) => async (keys: Iterable<Key>, options?: BatchOptions) => {
    const all = listOf(keys, name);
    return (all.length > 0 ? await one(name, all, options) : 0) as number;
  };
  return {
    async mget(keys: Iterable<Key>, { buffer = false, ...options }: MgetOptions = {}) {
      const all = listOf(keys, 'mget');
      if (all.length === 0) return [];
      return (await one(buffer ? 'mgetBuffer' : 'mget', all, options)) as never;
    },
    async mset(entries, { ttl, ...options } = {}) {
      const args = argumentsOf(entries);
      const expiry = ttl === undefined ? null : expiryOf(ttl);
      if (args.length === 0) return 'OK';
      if (expiry) await setAll(sender, args, expiry, options);
      else await one('mset', args, options, 2);
      return 'OK';
    },
    del: count('del'),
    unlink: count('unlink'),
    exists: count('exists'),
    touch: count('touch'),
  };
}

/** The same kind of error for keys of one slot as for those of several. */
function asPartial(name: string, error: Error, keys: readonly Key[]): Error {
  const { code } = error as Partial<RedslotError>;
  if (code === 'PARTIAL' || code === 'CROSS_SLOT') return error;
  const failures = keys.map((key, index) => failureOf(index, key, keySlot(key), error));
  const command = name.replace(/Buffer$/, '').toUpperCase();
  const result = command === 'MGET' ? keys.map(() => null) : command === 'MSET' ? null : 0;
  return new PartialError(told(command, failures), failures, false, result);
}

async function setAll(
  { make, send }: Sender,
  args: readonly Argument[],
  expiry: readonly string[],
  options: BatchOptions,
): Promise<void> {
  const commands: WireCommand[] = [];
  for (let at = 0; at < args.length; at += 2) {
    commands.push(make(['set', args[at], args[at + 1], ...expiry]));
  }
  const failures: KeyFailure[] = [];
  const replies = await send(commands, options);
  commands.forEach(({ args }, index) => {
    const error = replies[index]?.[0];
    const key = args[0] as Key;
    if (error) failures.push(failureOf(index, key, keySlot(key), error));
  });
  if (failures.length === 0) return;
  const ran = failures.length < replies.length;
  throw new PartialError(told('SET', failures), failures, ran, ran ? 'OK' : null);
}

function listOf(keys: Iterable<Key>, name: string): Key[] {
  const isList = typeof keys === 'object' && keys !== null && Symbol.iterator in keys;
  if (!isList || ArrayBuffer.isView(keys)) {
    throw new TypeError(`${name} takes an array or another iterable of keys`);
  }
  return Array.from(keys, (key, at) => plainKey(key) ?? noKey(`${name}: keys[${at}]`));
}

/** Keys and values in turns. */
function argumentsOf(entries: Entries): Argument[] {
  if (typeof entries !== 'object' || entries === null || ArrayBuffer.isView(entries)) {
    throw new TypeError('mset takes an array of pairs, a Map or an object');
  }
  const args: Argument[] = [];
  for (const pair of Symbol.iterator in entries ? entries : Object.entries(entries)) {
    const at = args.length / 2;
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new TypeError(`mset: entries[${at}] must be a pair of key and value`);
    }
    const key = plainKey(pair[0]) ?? noKey(`mset: the key of entries[${at}]`);
    args.push(key, plainValue(pair[1]) ?? noValue(`mset: the value of ${showKey(key)}`));
  }
  return args;
}

/** A key as ioredis takes it, or null when it is none. @internal */
export function plainKey(key: unknown): string | Buffer | null {
  if (typeof key === 'string') return key;
  return isUint8Array(key) ? asBuffer(key) : null;
}

/**
 * A value as ioredis writes it, or null for what it would write in another form:
 * null as an empty string, an object as "[object Object]".
 * @internal
 */
export function plainValue(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isUint8Array(value) ? asBuffer(value) : null;
}

/** @internal */
export function noKey(what: string): never {
  throw new TypeError(`${what} must be a string or a Buffer`);
}

/** @internal */
export function noValue(what: string): never {
  throw new TypeError(`${what} must be a string, a number or a Buffer`);
}

/** ioredis would write bytes that are no Buffer as numbers: "172,237". @internal */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Arguments of SET. @internal */
export function expiryOf(ttl: number): readonly ['EX' | 'PX', string] {
  const milliseconds = Math.round(ttl * 1000);
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 1) {
    throw new TypeError('ttl must be a positive number of seconds');
  }
  return Number.isSafeInteger(ttl) ? ['EX', String(ttl)] : ['PX', String(milliseconds)];
}
