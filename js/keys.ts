/**
 * A Redis key: a string, hashed as its UTF-8 bytes (as `Buffer.from(key, 'utf8')` gives them), or
 * bytes, of which a view's offset and length are respected.
 */
export type Key = string | ArrayBufferView | ArrayBufferLike;

/** @internal */
export const encoder = new TextEncoder();

/** Of any value, whatever its own properties and its prototype claim; undefined if it is none. */
const kindOf = getter<string | undefined>(Symbol.toStringTag);

/** @internal */
export const lengthOfBytes = getter<number>('length');

/** Calls the getter that every typed array inherits, whatever is laid over it. */
function getter<T>(name: PropertyKey): (value: unknown) => T {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
  const get = Object.getOwnPropertyDescriptor(typedArray, name)?.get as () => T;
  return (value) => get.call(value);
}

/**
 * The bytes of a key, copied only from a string.
 *
 * @param name - what to call the key in an error
 * @param index - where it stands in an array of that name
 * @throws A `TypeError` when it is no key.
 * @internal
 */
export function bytesOf(key: unknown, name: string, index?: number): Uint8Array {
  if (typeof key === 'string') return encoder.encode(key);
  if (kindOf(key) === 'Uint8Array') return key as Uint8Array;
  if (ArrayBuffer.isView(key)) {
    return new Uint8Array(key.buffer, key.byteOffset, key.byteLength);
  }
  if (isBuffer(key)) return new Uint8Array(key);
  throw notAKey(key, index === undefined ? name : `${name}[${index}]`);
}

/**
 * Writes `text` as UTF-8 to `into` from `at` on and returns the number of bytes. The caller has
 * made sure that it fits.
 * @internal
 */
export function encode(text: string, into: Uint8Array, at: number): number {
  return encoder.encodeInto(text, at === 0 ? into : into.subarray(at)).written;
}

/** Asks the one constructor that takes nothing else, since a tag or a prototype can be had by any. */
function isBuffer(value: unknown): value is ArrayBufferLike {
  try {
    return new DataView(value as ArrayBuffer).byteLength >= 0;
  } catch {
    return false;
  }
}

function notAKey(value: unknown, name: string): TypeError {
  return new TypeError(
    `${name} is ${described(value)}; a key is a string or bytes ` +
      '(Buffer, Uint8Array, DataView, ArrayBuffer)',
  );
}

/** The type of a value in a word or two. @internal */
export function described(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'undefined') return 'undefined';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
