import { described } from './keys.js';
import { TopologyError } from './topology.js';

/** Deepest nesting that is copied; the deepest known reply uses five levels. */
const MAX_DEPTH = 12;

/** Most values that are copied; 16384 single-slot entries with five replicas are 0.8 million. */
const MAX_VALUES = 1 << 23;

/**
 * A copy of a reply made of plain arrays, objects, strings, numbers and null.
 *
 * What crosses into WebAssembly must not run code of the caller there (getters, proxies), nor nest
 * without end: an exception or a trap in the middle would leave the instance in pieces.
 *
 * @throws A {@link TopologyError} with the index of the outermost entry at fault.
 * @internal
 */
export function plain(reply: unknown): unknown {
  const copier = new Copier();
  try {
    return copier.copy(reply, 0);
  } catch (cause) {
    const { entry } = copier;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TopologyError({ entry, line: null, reason: why }, { cause });
  }
}

/** The text of a reply that is one string, or the bytes of one. @internal */
export function plainText(reply: unknown): string {
  const text = plain(reply);
  if (typeof text === 'string') return text;
  const reason = `expected text, found ${described(text)}`;
  throw new TopologyError({ entry: null, line: null, reason });
}

class Copier {
  entry: number | null = null;
  #left = MAX_VALUES;

  copy(value: unknown, depth: number): unknown {
    if (this.#left-- === 0) throw new Error(`expected at most ${MAX_VALUES} values, found more`);
    switch (typeof value) {
      case 'string':
      case 'number':
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

/** The text that bytes spell; bytes that spell none stay bytes, for the core to describe. */
function textOf(view: ArrayBufferView): string | Uint8Array {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}
