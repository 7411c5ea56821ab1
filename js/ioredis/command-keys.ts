import { firstKey } from 'virtual:command-lists';
import { type Split, splitOf } from '../split.js';
import type { ClusterClient, WireCommand } from './client.js';
import type { Settings } from './options.js';

type Key = string | Uint8Array;

/** Subcommands whose key is the second argument; ioredis 5 takes them for keyless. */
const KEYED_SUBCOMMANDS: Record<string, ReadonlySet<string> | undefined> = {
  __proto__: null as never,
  object: new Set(['encoding', 'freq', 'idletime', 'refcount']),
  memory: new Set(['usage']),
  xinfo: new Set(['consumers', 'groups', 'stream']),
  xgroup: new Set(['create', 'createconsumer', 'delconsumer', 'destroy', 'setid']),
};

const FIRST_KEY: ReadonlySet<string> = new Set(firstKey);

/**
 * Which arguments of a recorded command are keys: ioredis' own answer, corrected
 * where it is known to differ from the server's, and the caller's `keysOf` for
 * commands that ioredis does not know.
 */
export class CommandKeys {
  readonly #known: ReadonlySet<string>;
  readonly #keysOf: Settings['keysOf'];
  readonly #prefix: Key | undefined;

  /** @param known the names of the commands that ioredis knows */
  constructor(client: ClusterClient, known: ReadonlySet<string>, keysOf: Settings['keysOf']) {
    this.#known = known;
    this.#keysOf = keysOf;
    this.#prefix = client.options.keyPrefix;
  }

  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /** Prefixes the key of a container command where ioredis 5 left it bare. */
  complete(command: WireCommand): void {
    if (!this.#prefix || command.getKeys().length > 0) return;
    for (const key of containerKeys(command)) command.args[1] = prefixed(this.#prefix, key);
  }

  /** Appends the keys of a command to `keys`; gives their number. */
  collect(command: WireCommand, keys: Key[]): number {
    // Most commands are of this kind, and ioredis' own answer takes longer than all else here.
    if (FIRST_KEY.has(command.name) && command.args.length > 0) {
      keys.push(command.args[0] as Key);
      return 1;
    }
    const some = this.of(command);
    for (const key of some) keys.push(key);
    return some.length;
  }

  /** The keys by which to route, as they go over the wire. */
  of(command: WireCommand): readonly Key[] {
    const name = command.name.toLowerCase();
    const split = splitOf(name);
    if (split) return splitKeys(command.args, split);
    if (FIRST_KEY.has(name)) return command.args.slice(0, 1) as Key[];
    if (name === 'sort' || name === 'sort_ro') return sortKeys(command.args);
    const keys: readonly unknown[] = ownKeys(command, name);
    // ioredis adds the arguments that it looks for and does not find.
    while (command.args.length > 0 && command.args.at(-1) === undefined) command.args.pop();
    if (keys.length > 0) return keys.every(isKey) ? (keys as Key[]) : keys.filter(isKey);
    if (this.#known.has(name)) return containerKeys(command);
    return this.#keysOf?.(command.name, command.args) ?? command.args.slice(0, 1).filter(isKey);
  }
}

/** ioredis' own answer under the name in lower case: ioredis 5.0 and iovalkey know no other. */
function ownKeys(command: WireCommand, name: string): readonly unknown[] {
  if (command.name === name) return command.getKeys();
  const keys = { value: undefined, writable: true };
  return (Object.create(command, { name: { value: name }, keys }) as WireCommand).getKeys();
}

/** ioredis reports an argument that is not there as an undefined key. */
function isKey(key: unknown): key is Key {
  return key !== undefined;
}

function containerKeys({ name, args }: WireCommand): Key[] {
  const subcommands = KEYED_SUBCOMMANDS[name.toLowerCase()];
  if (!subcommands?.has(String(args[0]).toLowerCase())) return [];
  return args.slice(1, 2) as Key[];
}

/** SORT key [BY pattern] [GET pattern] ... [STORE key]: patterns name no key to route by. */
function sortKeys(args: readonly unknown[]): Key[] {
  const store = args.findIndex((arg, i) => i > 0 && String(arg).toUpperCase() === 'STORE');
  return [args[0], ...(store > 0 ? [args[store + 1]] : [])].filter(isKey) as Key[];
}

/**
 * The first alone when others are incomplete: the server tells what is wrong.
 * @internal
 */
export function splitKeys(args: readonly unknown[], { step, tail }: Split): Key[] {
  const end = args.length - tail;
  if (end % step !== 0) return args.slice(0, 1) as Key[];
  const keys: unknown[] = [];
  for (let at = 0; at < end; at += step) keys.push(args[at]);
  return keys as Key[];
}

/** @internal */
export function prefixed(prefix: Key, key: Key): string | Buffer {
  if (typeof prefix === 'string' && typeof key === 'string') return prefix + key;
  return Buffer.concat([Buffer.from(prefix as string), Buffer.from(key as string)]);
}
