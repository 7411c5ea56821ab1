import { type Key, keySlot, slotTag } from 'redslot-wasm';

/** Keys renamed so that they are in one slot. */
export interface Cure {
  readonly tag: string;
  readonly keys: readonly string[];
}

const SEPARATOR = /[:./|_-]/;

/**
 * Proposes a hash tag for keys of several slots: what their names have in common up to a
 * separator, else a short tag on the slot of the first. Null for keys that are not text.
 */
export function cureFor(keys: readonly Key[]): Cure | null {
  const names = keys.filter((key) => typeof key === 'string');
  if (names.length !== keys.length || names.length === 0) return null;
  const common = commonPart(names);
  if (common !== '') {
    return { tag: common, keys: names.map((name) => `{${common}}${name.slice(common.length)}`) };
  }
  const tag = slotTag(keySlot(names[0] as string));
  return { tag, keys: names.map((name) => `{${tag}}:${name}`) };
}

function commonPart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) {
    let same = 0;
    while (same < length && name[same] === first[same]) same++;
    length = same;
  }
  const ends = names.every((name) => name.length === length || SEPARATOR.test(name[length] ?? ''));
  let common = first.slice(0, length);
  if (!ends)
    while (common !== '' && !SEPARATOR.test(common.at(-1) ?? '')) common = common.slice(0, -1);
  common = common.replace(/[:./|_-]+$/, '');
  return /[{}]/.test(common) ? '' : common;
}
