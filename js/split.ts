/** How the replies of the pieces make the reply of the command. @internal */
export type Merge = 'values' | 'sum' | 'ok';

/** How a command over several slots is cut into commands over one each. @internal */
export interface Split {
  /** Arguments per key, the key first. */
  readonly step: number;
  /** Arguments at the end that belong to every piece. */
  readonly tail: number;
  readonly merge: Merge;
}

/**
 * The commands whose reply for all keys can be made from replies for some of them. Those that
 * change something about their keys together, such as MSETNX, are not among them.
 */
const SPLITS: ReadonlyMap<string, Split> = new Map<string, Split>([
  ['mget', { step: 1, tail: 0, merge: 'values' }],
  ['mset', { step: 2, tail: 0, merge: 'ok' }],
  ['del', { step: 1, tail: 0, merge: 'sum' }],
  ['unlink', { step: 1, tail: 0, merge: 'sum' }],
  ['exists', { step: 1, tail: 0, merge: 'sum' }],
  ['touch', { step: 1, tail: 0, merge: 'sum' }],
  ['json.mget', { step: 1, tail: 1, merge: 'values' }],
  ['json.mset', { step: 3, tail: 0, merge: 'ok' }],
]);

/** The names of the commands that can be split. @internal */
export function splittable(): Iterable<string> {
  return SPLITS.keys();
}

/** How a command can be split, or undefined. @internal */
export function splitOf(name: string): Split | undefined {
  return SPLITS.get(name) ?? SPLITS.get(name.toLowerCase());
}

/**
 * Positions of the keys of each slot, in the order in which the slots appear first.
 * @internal
 */
export function bySlot(slots: ArrayLike<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number;
    const group = groups.get(slot);
    if (group) group.push(at);
    else groups.set(slot, [at]);
  }
  return groups;
}
