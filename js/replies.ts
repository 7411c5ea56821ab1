import { described } from './keys.js';
import { TopologyError } from './topology.js';

/** Deepest nesting that is copied; the deepest known reply uses five levels. */
const MAX_DEPTH = 12;

/** Most values that are copied; 16384 single-slot entries with five replicas are 0.8 million. */
const MAX_VALUES = 1 << 23;

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
    const { entry } = copier;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TopologyError({ entry, line: null, reason: why }, { cause });
  }
}

class Copier {
  entry: number | null = null;
  #left = MAX_VALUES;

  copy(value: unknown, depth: number): unknown {
    if (this.#left-- === 0) throw new Error(`expected at most ${MAX_VALUES} values, found more`);
    switch (typeof value) {
      case 'string':
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

  #object(value: object, depth: number): unknown {
    if (depth === MAX_DEPTH) throw new Error(`expected at most ${MAX_DEPTH} levels, found more`);
    if (ArrayBuffer.isView(value)) return textOf(value);
    if (Array.isArray(value)) return this.#array(value, depth);
    if (value instanceof Error)
      throw new Error(`expected a reply, found an error: ${value.message}`);
    const pairs = value instanceof Map ? value : Object.entries(value);
    const copy = Object.create(null);
    for (const [key, item] of pairs)
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

function textOf(view: ArrayBufferView): string {
  // A copy, because a decoder refuses shared memory.
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error(`expected text, found ${bytes.length} bytes that are not UTF-8`);
  }
}
