/**
 * A Redis key: a string, hashed as its UTF-8 bytes (as `Buffer.from(key, 'utf8')` gives them), or
 * bytes, of which a view's offset and length are respected.
 */
export type Key = string | ArrayBufferView | ArrayBufferLike;

/** @internal */
export const encoder = new TextEncoder();

/** Most bytes of one block of memory in the core. */
const MAX_BYTES = 2 ** 31 - 1;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);

/** Of any value, whatever its own properties and its prototype claim; undefined if it is none. */
const kindOf = getter<string | undefined>(typedArray, Symbol.toStringTag);

/** @internal */
export const lengthOfBytes = getter<number>(typedArray, 'length');

const ofDataView = bytesBy(DataView.prototype);
const ofWhole = bytesBy(typedArray);

function ofTypedArray(view: unknown): Uint8Array {
  // Throws where the buffer has shrunk below the view, of which the getters tell as empty.
  typedArray.keys.call(view);
  return ofWhole(view);
}

/**
 * Calls the getter that every view inherits, whatever is laid over it. To ask an object for its
 * properties may run code of the caller, which may use the scratch area meanwhile.
 */
function getter<T>(prototype: object, name: PropertyKey): (value: unknown) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as () => T;
  return (value) => get.call(value);
}

/** Gives the bytes of a view, without a copy. */
function bytesBy(prototype: object): (view: unknown) => Uint8Array {
  const buffer = getter<ArrayBuffer>(prototype, 'buffer');
  const offset = getter<number>(prototype, 'byteOffset');
  const length = getter<number>(prototype, 'byteLength');
  return (view) => new Uint8Array(buffer(view), offset(view), length(view));
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
  const kind = kindOf(key);
  if (kind === 'Uint8Array') return key as Uint8Array;
  if (kind !== undefined) return ofTypedArray(key);
  if (ArrayBuffer.isView(key)) return ofDataView(key);
  if (isBuffer(key)) return new Uint8Array(key);
  throw notAKey(key, named(name, index));
}

/**
 * The bytes of a key as a view that holds what it claims to, for who asks it for its properties.
 *
 * @throws A `TypeError` when it is no key, a `RangeError` when WebAssembly cannot hold it.
 * @internal
 */
export function plainBytesOf(key: unknown, name: string, index?: number): Uint8Array {
  const bytes = ofTypedArray(bytesOf(key, name, index));
  if (bytes.length <= MAX_BYTES) return bytes;
  throw new RangeError(
    `${named(name, index)} has ${bytes.length} bytes; at most ${MAX_BYTES} can be read`,
  );
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

function named(name: string, index: number | undefined): string {
  return index === undefined ? name : `${name}[${index}]`;
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
