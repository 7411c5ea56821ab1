import { bytesOf, described, encode, type Key, lengthOfBytes, plainBytesOf } from './keys.js';
import { SLOT_COUNT } from './slot-count.js';
import { type Core, core, crossing, guarded } from './wasm.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Up to this many characters a loop is faster than a call of `TextEncoder`. */
const SHORT_STRING = 20;

/** Keys that are read ahead of being packed. */
const BLOCK = 8192;

/**
 * The hash slot of a key, 0 to 16383, as `CLUSTER KEYSLOT` of an open-source server answers it for
 * the same bytes. Costs one crossing into WebAssembly and a copy of the key; {@link keySlots} is
 * for many.
 *
 * @see Sections "Key distribution model" and "Hash tags" of the cluster specification,
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
 *
 * @throws A `TypeError` when `key` is neither a string nor bytes, a `RangeError` when it has more
 * bytes than WebAssembly can hold, which is 2 GiB or less.
 */
export function keySlot(key: Key): number {
  const at = core();
  const length = typeof key === 'string' ? putString(key, at) : putBytes(bytesOf(key, 'key'), at);
  if (length < 0) return hashLong(key, 'key');
  at.torn = true;
  const slot = at.calls.hash_one(length);
  at.torn = false;
  return slot;
}

/**
 * The hash slots of many keys, in their order.
 *
 * Takes an array or anything with `length` and indices. Costs one crossing into WebAssembly per
 * chunk of some thousand keys, and no memory there that grows with the batch.
 *
 * @throws A `TypeError` that names the index when one of them is neither a string nor bytes, a
 * `RangeError` when one is too long for {@link keySlot}.
 */
export function keySlots(keys: ArrayLike<Key>): Uint16Array {
  const total = lengthOf(keys, 'keys');
  const slots = new Uint16Array(total);
  for (let first = 0; first < total; first += BLOCK) {
    const share = slots.subarray(first, first + BLOCK);
    hashBlock(copied(keys, first, share.length), first, share);
  }
  return slots;
}

/**
 * Copies keys, because to read an element may run code of the caller (a getter, a proxy), and that
 * code may hash keys of its own in the same scratch area.
 */
function copied(keys: ArrayLike<Key>, first: number, count: number): Key[] {
  // `slice` is three times as fast as a loop, and lets a class of the caller's make the copy.
  if (Object.getPrototypeOf(keys) === Array.prototype && !Object.hasOwn(keys, 'constructor')) {
    return Array.prototype.slice.call(keys, first, first + count);
  }
  const copy = new Array<Key>(count);
  for (let at = 0; at < count; at++) copy[at] = keys[first + at] as Key;
  return copy;
}

/** Writes the slots of `keys`, which are `keys[first]` and following to the caller. */
function hashBlock(keys: readonly Key[], first: number, slots: Uint16Array): void {
  let from = 0;
  while (from < slots.length) {
    const at = core();
    const packed =
      typeof keys[from] === 'string'
        ? packStrings(keys, from, at)
        : packBytes(keys, from, first, at);
    if (packed === 0) {
      slots[from] = hashLong(keys[from], 'keys', first + from);
      from += 1;
    } else {
      crossing(at, (calls) => calls.hash_many(packed));
      slots.set(at.slots.subarray(0, packed), from);
      from += packed;
    }
  }
}

/**
 * The length of something that looks like an array.
 * @throws A `TypeError` when it does not.
 * @internal
 */
export function lengthOf(list: ArrayLike<unknown>, name: string): number {
  const length: unknown = typeof list === 'object' ? list?.length : undefined;
  if (!Number.isSafeInteger(length) || (length as number) < 0) {
    throw new TypeError(`${name} is ${described(list)}; it has to be an array`);
  }
  return length as number;
}

/** Writes one string to the scratch area; gives its length in bytes, or -1 when it is too long. */
function putString(key: string, { bytes, words }: Core): number {
  const { length } = key;
  if (length > SHORT_STRING) return length * 3 > bytes.length ? -1 : encode(key, bytes, 0);
  const whole = length & ~3;
  let units = 0;
  let at = 0;
  for (; at < whole; at += 4) {
    const first = key.charCodeAt(at);
    const second = key.charCodeAt(at + 1);
    const third = key.charCodeAt(at + 2);
    const fourth = key.charCodeAt(at + 3);
    units |= first | second | third | fourth;
    words[at >> 2] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
  for (; at < length; at++) {
    const unit = key.charCodeAt(at);
    units |= unit;
    bytes[at] = unit;
  }
  return units > 0x7f ? encode(key, bytes, 0) : length;
}

function putBytes(key: Uint8Array, { bytes }: Core): number {
  const length = lengthOfBytes(key);
  if (length > bytes.length) return -1;
  bytes.set(key);
  return length;
}

/**
 * Packs a run of strings: one concatenation and one encoding for all of them. Returns how many
 * there were, none if the first alone is too long.
 */
function packStrings(keys: readonly Key[], from: number, at: Core): number {
  const { bytes, counts } = at;
  const last = Math.min(keys.length, from + counts.length);
  let room = Math.floor(bytes.length / 3);
  let text = '';
  let next = from;
  for (; next < last; next++) {
    const key = keys[next];
    if (typeof key !== 'string' || key.length > room) break;
    room -= key.length;
    counts[next - from] = key.length;
    text += key;
  }
  const packed = next - from;
  const written = encode(text, bytes, 0);
  // As many bytes as UTF-16 units: all ASCII, and the lengths are right as they are.
  if (written !== text.length && !crossing(at, (calls) => calls.units_to_bytes(packed))) {
    encodeApart(keys, from, packed, at);
  }
  return packed;
}

/** Encodes each string by itself, so that no surrogate pair forms across two of them. */
function encodeApart(keys: readonly Key[], from: number, packed: number, at: Core): void {
  let end = 0;
  for (let next = 0; next < packed; next++) {
    const length = encode(keys[from + next] as string, at.bytes, end);
    at.counts[next] = length;
    end += length;
  }
}

/** Packs a run of keys that are bytes. Returns how many, none if the first alone is too long. */
function packBytes(keys: readonly Key[], from: number, first: number, at: Core): number {
  const { bytes, counts } = at;
  const last = Math.min(keys.length, from + counts.length);
  let end = 0;
  let next = from;
  for (; next < last; next++) {
    const key = keys[next];
    if (typeof key === 'string') break;
    const view = bytesOf(key, 'keys', first + next);
    const length = lengthOfBytes(view);
    if (length > bytes.length - end) break;
    bytes.set(view, end);
    counts[next - from] = length;
    end += length;
  }
  return next - from;
}

function hashLong(key: unknown, name: string, index?: number): number {
  const bytes = plainBytesOf(key, name, index);
  return guarded((glue) => glue.hash_long(bytes));
}

/** What {@link explainKey} tells about a key of type `K`. */
export interface KeyExplanation<K extends Key = Key> {
  /** The hash slot, as {@link keySlot} gives it. */
  readonly slot: number;
  /** The hash tag as byte positions, `end` exclusive, without its braces; null when none counts. */
  readonly tag: { readonly start: number; readonly end: number } | null;
  /**
   * Byte positions of the first `{` and of the first `}` after it, null where there is none. They
   * tell why: no `{`, one that is not closed, an empty tag (`close` is `open + 1`), or a tag.
   */
  readonly braces: { readonly open: number | null; readonly close: number | null };
  /** What is hashed: the tag, else the whole key. Text of a string, a copy of bytes. */
  readonly hashed: K extends string ? string : Uint8Array;
  /** In words for this key, why. */
  readonly reason: string;
}

/**
 * The slot of a key, the part of it that is hashed, and why. For people to read: it costs several
 * times what {@link keySlot} does.
 *
 * @see Section "Hash tags" of the cluster specification,
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 *
 * @throws A `TypeError` when `key` is neither a string nor bytes, a `RangeError` when it is too long
 * for {@link keySlot}.
 */
export function explainKey<K extends Key>(key: K): KeyExplanation<K> {
  const bytes = plainBytesOf(key, 'key');
  const { slot, tag, braces, reason } = guarded((glue) => glue.explain(bytes)) as KeyExplanation;
  const part = tag === null ? bytes.slice() : bytes.slice(tag.start, tag.end);
  const hashed = typeof key === 'string' ? decoder.decode(part) : part;
  return { slot, tag, braces, hashed, reason } as KeyExplanation<K>;
}

/**
 * The one slot that a glob pattern can match, or null when it may match keys of several.
 *
 * The rule by which Redis 8 and Valkey 8 look into a single slot for SCAN, KEYS and SORT: a closed,
 * non-empty hash tag has to come before the first `*`, `?`, `[` or `\`. Without any of these the
 * pattern is a key, and has that key's slot.
 *
 * @see Section "Glob-style patterns" of the cluster specification,
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#glob-style-patterns
 *
 * @throws A `TypeError` when `pattern` is neither a string nor bytes.
 */
export function patternSlot(pattern: Key): number | null {
  const bytes = plainBytesOf(pattern, 'pattern');
  const slot = guarded((glue) => glue.pattern_slot(bytes));
  return slot < 0 ? null : slot;
}

/**
 * A shortest hash tag on a slot: one to three ASCII letters and digits, the first such in byte
 * order. `` `{${slotTag(n)}}` `` is a key in slot n.
 *
 * @throws A `RangeError` when `slot` is not a whole number from 0 to 16383.
 */
export function slotTag(slot: number): string {
  checkSlot(slot);
  return guarded((glue) => glue.slot_tag(slot));
}

/** @internal */
export function checkSlot(slot: unknown): void {
  if (Number.isInteger(slot) && (slot as number) >= 0 && (slot as number) < SLOT_COUNT) return;
  const found = typeof slot === 'number' ? slot : described(slot);
  throw new RangeError(`${found} is not a hash slot (0 to 16383)`);
}
