import { type ExplainedKey, explainedKey, shown } from './explain.js';
import { bytesOf, type Key } from './keys.js';
import { keySlots } from './slots.js';

/** Most keys that a message names. */
const NAMED = 10;

/** Keys that cannot be in one command, transaction or script. */
export class CrossSlotError extends Error {
  override readonly name = 'CrossSlotError';
  /** The keys with their slots and tags, in the order given. */
  readonly keys: readonly ExplainedKey[];

  /** The package makes them; an application does in its tests. */
  constructor(message: string, keys: readonly ExplainedKey[]) {
    super(message);
    this.keys = keys;
  }
}

/**
 * Checks that keys are in one hash slot, as a server demands of the keys of one command, script or
 * transaction, also where one primary serves several slots. Gives that slot, or null for no keys.
 *
 * @see Section "Implemented subset" of the cluster specification,
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#implemented-subset
 *
 * @throws A {@link CrossSlotError} that names the tag and slot of each key and what to change, and a
 * `TypeError` for what is no key.
 */
export function assertSameSlot(keys: ArrayLike<Key>): number | null {
  const slots = keySlots(keys);
  const [slot = null] = slots;
  if (slots.every((other) => other === slot)) return slot;
  const explained = Array.from(slots, (_, at) => explainedKey(keys[at] as Key));
  const different = new Set(slots).size;
  throw new CrossSlotError(
    `These ${explained.length} keys are in ${different} hash slots, and must be in one:\n` +
      `${listed(explained)}\n${advice(explained)}`,
    explained,
  );
}

function listed(keys: readonly ExplainedKey[]): string {
  const lines = keys.slice(0, NAMED).map((one) => {
    const tag = tagOf(one);
    return `  ${shown(one.key)}: slot ${one.slot}, ${tag === null ? 'no hash tag' : `tag ${tag}`}`;
  });
  if (keys.length > NAMED) lines.push(`  and ${keys.length - NAMED} more`);
  return lines.join('\n');
}

/** What most of the tagged keys have, for the others to take; without any, how a tag looks. */
function advice(keys: readonly ExplainedKey[]): string {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const tag = tagOf(key);
    if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const what = 'Only what stands between the first { and the first } after it is hashed';
  if (most === undefined) return `${what}: put the same text in braces into every key.`;
  return `${what}: put ${most[0]} into every key, in place of any other tag.`;
}

/** With its braces; null without one. */
function tagOf({ key, tag }: ExplainedKey): string | null {
  if (tag === null) return null;
  const text = new TextDecoder().decode(bytesOf(key, 'key').subarray(tag.start, tag.end));
  return shown(`{${text}}`).slice(1, -1);
}
