import { bytesOf, described, encoder, lengthOfBytes } from './keys.js';
import { TopologyError } from './topology.js';

/** Deepest nesting that is copied; the deepest known reply uses five levels. */
const MAX_DEPTH = 12;

/** Most values that are copied, as many as the core reads. */
const MAX_VALUES = 1 << 21;

/** Most characters of all texts in a reply; 16384 single-slot entries, printed, are 20 million. */
const MAX_TEXT = 1 << 26;

/** Most entries that are packed; there are more only in a hostile reply. */
const MAX_PACKED = 1 << 16;

/** Room for an entry with five nodes, which is more than there are on average. */
const PACKED_NUMBERS = 8;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A reply as JSON, in which bytes are the text they spell and a `Map` is an object.
 *
 * @throws A {@link TopologyError} with the index of the outermost entry at fault.
 * @internal
 */
export function json(reply: unknown): string {
  return read(reply, JSON.stringify);
}

/** A reply to CLUSTER SLOTS with each node once, as `src/topology/slots.rs` describes it. @internal */
export interface Packed {
  readonly names: Uint8Array;
  readonly ports: Uint32Array;
  readonly entries: Uint32Array;
}

/** A node as it was first seen. */
class Known {
  /** The node that came after this one, which most often comes after it again. */
  next: Known | undefined;

  constructor(
    readonly place: number,
    readonly host: string,
    readonly port: number,
    readonly id: string,
  ) {}

  is(host: unknown, port: unknown, id: unknown): boolean {
    return this.id === id && this.port === port && this.host === host;
  }
}

/** Nodes that are told apart by their ids; another one with the same id is not packed. */
class Nodes {
  readonly all: Known[] = [];
  readonly #byId = new Map<string, Known>();
  #last: Known | undefined;

  /** The place of a node, or -1 when it is not of the common shape. */
  place(node: unknown): number {
    if (!Array.isArray(node)) return -1;
    const host: unknown = node[0];
    const port: unknown = node[1];
    const id: unknown = node[2];
    if (node.length > 3 && !isMetadata(node)) return -1;
    let known = this.#last?.next;
    if (!known?.is(host, port, id)) {
      known = this.#find(host, port, id);
      if (known === undefined) return -1;
      if (this.#last !== undefined) this.#last.next = known;
    }
    this.#last = known;
    return known.place;
  }

  #find(host: unknown, port: unknown, id: unknown): Known | undefined {
    if (typeof host !== 'string' || typeof id !== 'string' || !isWhole(port)) return undefined;
    // It may be lost, which the general way finds out.
    if (port === 0) return undefined;
    const known = this.#byId.get(id);
    if (known !== undefined) return known.is(host, port, id) ? known : undefined;
    const added = new Known(this.all.length, host, port, id);
    this.#byId.set(id, added);
    this.all.push(added);
    return added;
  }

  /** Host and id of each. */
  names(): string {
    let names = '';
    for (const { host, id } of this.all) names += `${host}\n${id}\n`;
    return names;
  }
}

/**
 * A reply to CLUSTER SLOTS in the common shape, in one pass; undefined for any other, which goes
 * the general way. Only the shape is looked at.
 * @internal
 */
export function packed(reply: unknown): Packed | undefined {
  try {
    return pack(reply);
  } catch {
    // It is not plain data; the general way tells what is wrong with it.
    return undefined;
  }
}

function pack(reply: unknown): Packed | undefined {
  if (!Array.isArray(reply)) return undefined;
  // Each length is asked for once, since a proxy may answer otherwise the next time.
  const size: unknown = reply.length;
  if (!isWhole(size) || size > MAX_PACKED) return undefined;
  const nodes = new Nodes();
  // Of a fixed size, because growing takes most of the time otherwise.
  const entries = new Uint32Array(size * PACKED_NUMBERS);
  let next = 0;
  for (let at = 0; at < size; at++) {
    const entry: unknown = reply[at];
    if (!Array.isArray(entry)) return undefined;
    // By index, because taking an array apart as a pattern walks its iterator.
    const start: unknown = entry[0];
    const end: unknown = entry[1];
    if (!isWhole(start) || !isWhole(end)) return undefined;
    entries[next++] = start;
    entries[next++] = end;
    const { length } = entry;
    entries[next++] = length - 2;
    if (next + length - 2 > entries.length) return undefined;
    for (let node = 2; node < length; node++) {
      const place = nodes.place(entry[node]);
      if (place < 0) return undefined;
      entries[next++] = place;
    }
  }
  return {
    names: encoder.encode(nodes.names()),
    ports: Uint32Array.from(nodes.all, (node) => node.port),
    entries: entries.subarray(0, next),
  };
}

/** Whether a node ends in one list of texts, as it does since Redis 7. */
function isMetadata(node: readonly unknown[]): boolean {
  const list: unknown = node[3];
  if (node.length > 4 || !Array.isArray(list)) return false;
  return list.length === 0 || list.every((item) => typeof item === 'string');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value;
}

/** The text of a reply that is one string, or the bytes of one. @internal */
export function text(reply: unknown): string {
  return read(reply, (copy) => {
    if (typeof copy === 'string') return copy;
    throw new Error(`expected text, found ${described(reply)}`);
  });
}

/**
 * Copies a reply before anything else looks at it, because it may not be plain: getters and proxies
 * run code of the caller, and an array may hold itself.
 */
function read(reply: unknown, as: (copy: unknown) => string): string {
  const copier = new Copier();
  try {
    return as(copier.copy(reply, 0));
  } catch (cause) {
    throw new TopologyError({ entry: copier.entry, line: null, reason: told(cause) }, { cause });
  }
}

/** What was thrown, in words, whatever it is. */
function told(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'expected plain data, found what throws';
  }
}

class Copier {
  entry: number | null = null;
  #values = MAX_VALUES;
  #text = MAX_TEXT;

  copy(value: unknown, depth: number): unknown {
    if (this.#values-- === 0) throw new Error(`expected at most ${MAX_VALUES} values, found more`);
    switch (typeof value) {
      case 'string':
        this.#count(value.length);
        // Lone surrogates have no place in UTF-8.
        return value.replace(/\p{Surrogate}/gu, '\ufffd');
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'bigint':
        return String(value);
      case 'undefined':
        return null;
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        throw new Error(`expected plain data, found ${described(value)}`);
    }
  }

  /** Counts text before it is looked at: a few bytes of it may stand in a reply many times. */
  #count(length: number): void {
    this.#text -= length;
    if (this.#text < 0) throw new Error(`expected at most ${MAX_TEXT} characters, found more`);
  }

  #object(value: object, depth: number): unknown {
    if (depth === MAX_DEPTH) throw new Error(`expected at most ${MAX_DEPTH} levels, found more`);
    if (ArrayBuffer.isView(value)) {
      const bytes = bytesOf(value, 'text');
      this.#count(lengthOfBytes(bytes));
      return textOf(bytes);
    }
    if (Array.isArray(value)) return this.#array(value, depth);
    // By tag too, because those of another realm are no instances here.
    const tag = Object.prototype.toString.call(value);
    if (value instanceof Error || tag === '[object Error]')
      throw new Error(`expected a reply, found an error: ${(value as Error).message}`);
    const isMap = value instanceof Map || tag === '[object Map]';
    const copy = Object.create(null);
    for (const [key, item] of isMap ? (value as Map<unknown, unknown>) : Object.entries(value))
      copy[String(this.copy(key, depth + 1))] = this.copy(item, depth + 1);
    return copy;
  }

  #array(value: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (let at = 0; at < value.length; at++) {
      if (depth === 0) this.entry = at;
      copy.push(this.copy(value[at], depth + 1));
    }
    if (depth === 0) this.entry = null;
    return copy;
  }
}

function textOf(view: Uint8Array): string {
  // A copy, because a decoder refuses shared memory.
  const bytes = new Uint8Array(view);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error(`expected text, found ${bytes.length} bytes that are not UTF-8`);
  }
}
