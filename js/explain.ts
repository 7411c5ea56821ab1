import { bytesOf, described, type Key } from './keys.js';
import type { Group } from './routing.js';
import type { SlotMap } from './slot-map.js';
import { explainKey, lengthOf } from './slots.js';
import { bySlot, splitOf } from './split.js';
import type { Primary } from './topology.js';

/** A command as an array: its name, then its arguments. */
export type CommandLike = readonly [name: string, ...args: unknown[]];

/** What a dry run needs to know. */
export interface ExplainOptions {
  /** The keys of a command, as they go over the wire; an empty array when it has none. */
  readonly keysOf: (name: string, args: readonly unknown[], index: number) => ArrayLike<Key>;
}

/** One key of a command, with its slot. */
export interface ExplainedKey {
  /** The key, as it was given. */
  readonly key: Key;
  /** Its hash slot, 0 to 16383. */
  readonly slot: number;
  /**
   * The hash tag as byte positions, `end` exclusive, without its braces; null when the whole key is
   * hashed.
   */
  readonly tag: { readonly start: number; readonly end: number } | null;
}

/** What a split command would send for one of its slots. */
export interface Piece {
  /** The hash slot of all its keys. */
  readonly slot: number;
  /** The primary that serves the slot, or null in a gap or a conflict. */
  readonly node: Primary | null;
  /** Indices into the `keys` of the command. */
  readonly keys: number[];
}

/** Why a command would not be sent. */
export interface Refusal {
  /**
   * `CROSS_SLOT`: keys in several slots; `UNOWNED`: a slot without one owner; `UNSUPPORTED`: a
   * command that no pipeline can carry, which only `redslot-wasm/ioredis` can tell.
   */
  readonly code: 'CROSS_SLOT' | 'UNOWNED' | 'UNSUPPORTED';
  /** In words, with the keys and slots. */
  readonly reason: string;
}

/** Where one command would go. */
export interface CommandExplanation {
  /** Its name, as it was given. */
  readonly name: string;
  /** Its keys, in the order in which they stand in it. */
  readonly keys: ExplainedKey[];
  /** The one primary that would get the command, or all of its pieces; null if there is none. */
  readonly node: Primary | null;
  /** One per slot, in order of first appearance, if the command would be split; else empty. */
  readonly pieces: Piece[];
  /** Why it would not be sent, null when it would. */
  readonly refused: Refusal | null;
}

/** Longest text of a key that a reason repeats, in characters. */
const SHOWN = 60;

/** @internal */
export function explainCommands(
  map: SlotMap,
  commands: readonly CommandLike[],
  options: ExplainOptions,
): CommandExplanation[] {
  const keysOf: unknown = options?.keysOf;
  if (typeof keysOf !== 'function') {
    throw new TypeError(`keysOf is ${described(keysOf)}; it has to be a function`);
  }
  if (!Array.isArray(commands)) {
    throw new TypeError(`commands is ${described(commands)}; it has to be an array`);
  }
  const all: Key[] = [];
  const counts: number[] = [];
  const names: string[] = [];
  for (const [at, command] of commands.entries()) {
    const name: unknown = Array.isArray(command) ? command[0] : undefined;
    if (typeof name !== 'string') {
      throw new TypeError(`commands[${at}] has to be an array that begins with a name`);
    }
    names.push(name);
    const keys = options.keysOf(name, command.slice(1), at);
    const source = `keysOf of commands[${at}]`;
    const count = lengthOf(keys, source);
    counts.push(count);
    for (let next = 0; next < count; next++) {
      const key = keys[next] as Key;
      bytesOf(key, source, next);
      all.push(key);
    }
  }
  return explainRouted(map, names, all, counts);
}

function explainRouted(
  map: SlotMap,
  names: readonly string[],
  keys: readonly Key[],
  counts: readonly number[],
): CommandExplanation[] {
  const routing = map.route(keys, counts);
  const nodes = nodeByCommand(routing.groups, names.length);
  const keyless = new Set(routing.keyless);
  const crossSlot = new Set(routing.crossSlot);
  let end = 0;
  return names.map((name, at) => {
    const start = end;
    end += counts[at] as number;
    const explained = keys.slice(start, end).map(explainedKey);
    if (crossSlot.has(at)) return spanning(map, name, explained);
    const node = keyless.has(at) ? (map.primaries[0] ?? null) : (nodes[at] ?? null);
    const [first] = explained;
    const refused = node === null && first !== undefined ? unowned(map, first) : null;
    return { name, keys: explained, node, pieces: [], refused };
  });
}

function nodeByCommand(groups: readonly Group[], commands: number): (Primary | null)[] {
  const nodes = new Array<Primary | null>(commands).fill(null);
  for (const { node, indices } of groups) for (const at of indices) nodes[at] = node;
  return nodes;
}

/** @internal */
export function explainedKey(key: Key): ExplainedKey {
  const { slot, tag } = explainKey(key);
  return { key, slot, tag };
}

/** A command over several slots: in pieces if it can be split, else refused. */
function spanning(map: SlotMap, name: string, keys: ExplainedKey[]): CommandExplanation {
  if (splitOf(name) === undefined) {
    return { name, keys, node: null, pieces: [], refused: crossing(name, keys) };
  }
  const pieces = [...bySlot(keys.map(({ slot }) => slot))].map(([slot, positions]) => {
    return { slot, node: map.ownerOf(slot), keys: positions };
  });
  const node = pieces[0]?.node ?? null;
  const orphan = pieces.find((piece) => piece.node === null)?.keys[0];
  return {
    name,
    keys,
    node: pieces.every((piece) => piece.node === node) ? node : null,
    pieces,
    refused: orphan === undefined ? null : unowned(map, keys[orphan] as ExplainedKey),
  };
}

function crossing(name: string, keys: readonly ExplainedKey[]): Refusal {
  const first = keys[0] as ExplainedKey;
  const other = keys.find(({ slot }) => slot !== first.slot) as ExplainedKey;
  return {
    code: 'CROSS_SLOT',
    reason:
      `${shown(first.key)} is in slot ${first.slot} and ${shown(other.key)} in slot ` +
      `${other.slot}; the keys of ${name} have to be in one slot`,
  };
}

function unowned(map: SlotMap, { key, slot }: ExplainedKey): Refusal {
  const contested = map.conflicts.some(({ start, end }) => start <= slot && slot <= end);
  const why = contested ? 'several primaries claim' : 'no primary serves';
  return { code: 'UNOWNED', reason: `${why} slot ${slot}, the slot of ${shown(key)}` };
}

/** A key as text for a message, cut short. @internal */
export function shown(key: Key): string {
  if (typeof key === 'string') {
    return JSON.stringify(key.length > SHOWN ? `${key.slice(0, SHOWN)}...` : key);
  }
  return `a key of ${key.byteLength} bytes`;
}
