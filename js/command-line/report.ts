import type { SlotMap } from '../index.js';
import type { Item } from './output.js';
import { type Share, type Shares, sharesOf, skewOf } from './share.js';
import { table } from './table.js';
import type { SlotCount, Tally } from './tally.js';
import { nameOf } from './topology.js';

/** How many of the fullest slots are named. */
const LARGEST = 10;

/** What is to be said about a topology, and about keys on it. */
export class Report implements Item {
  readonly #map: SlotMap;
  readonly #tally: Tally | null;
  readonly #mostSkew: number;
  readonly #shares: Shares;
  readonly #skew: number | null;

  /** @param mostSkew how many times the mean a primary may have */
  constructor(map: SlotMap, tally: Tally | null, mostSkew: number) {
    this.#map = map;
    this.#tally = tally;
    this.#mostSkew = mostSkew;
    this.#shares = sharesOf(map, tally);
    this.#skew = skewOf(this.#shares.primaries);
  }

  /** Whether nothing is wrong. */
  get ok(): boolean {
    return this.#shares.nobody.slots === 0 && !this.#isSkewed;
  }

  text(): string {
    return [...this.#primaries(), ...this.#holes(), ...this.#spread()].join('\n');
  }

  json() {
    const { gaps } = this.#map;
    return {
      ok: this.ok,
      primaries: this.#shares.primaries.map(({ node, slots, keys }) => ({
        id: node.id,
        endpoint: node.endpoint,
        replicas: node.replicas.length,
        slots,
        keys: this.#tally ? keys : null,
      })),
      gaps,
      conflicts: this.#map.conflicts.map(({ start, end, owners }) => ({
        start,
        end,
        owners: owners.map(nameOf),
      })),
      keys: this.#tally && {
        total: this.#tally.total,
        unowned: this.#shares.nobody.keys,
        slots: this.#tally.slots,
        skew: this.#skew,
        largest: this.#tally.largest(LARGEST),
      },
    };
  }

  get #isSkewed(): boolean {
    return (this.#skew ?? 0) > this.#mostSkew;
  }

  #primaries(): string[] {
    const { primaries, nobody } = this.#shares;
    const heading = ['primary', 'replicas', 'slots', ...(this.#tally ? ['keys', 'share'] : [])];
    const rows = primaries.map((share) => {
      const { node } = share;
      return this.#row(nameOf(node), String(node.replicas.length), share);
    });
    if (nobody.slots > 0) rows.push(this.#row('none', '', nobody));
    return table([heading, ...rows]);
  }

  #row(name: string, replicas: string, { slots, keys }: Share): string[] {
    const counted = this.#tally ? [String(keys), percent(keys, this.#tally.total)] : [];
    return [name, replicas, String(slots), ...counted];
  }

  #holes(): string[] {
    const { gaps, conflicts } = this.#map;
    if (this.#shares.nobody.slots === 0) return ['Every slot has one primary.'];
    const claims = conflicts.map(
      ({ start, end, owners }) =>
        `Conflict: ${range(start, end)} claimed by ${owners.map(nameOf).join(' and ')}`,
    );
    return [...gaps.map(([start, end]) => `Gap: ${range(start, end)}`), ...claims];
  }

  #spread(): string[] {
    const tally = this.#tally;
    if (tally === null || this.#skew === null) return tally ? ['No keys on any primary.'] : [];
    const times = `${this.#skew.toFixed(2)} times the mean`;
    const verdict = this.#isSkewed ? `, more than ${this.#mostSkew} times` : '';
    return [
      `${tally.total} keys in ${tally.slots} slots; the fullest primary has ${times}${verdict}.`,
      ...fullest(tally.largest(LARGEST), tally.total),
    ];
  }
}

/** The slots with the most keys, as a table. */
function fullest(slots: readonly SlotCount[], total: number): string[] {
  const rows = slots.map(({ slot, keys }) => [String(slot), String(keys), percent(keys, total)]);
  const tags = ['tags', ...slots.map((slot) => slot.tags.join(' '))];
  const lines = table([['slot', 'keys', 'share'], ...rows]);
  return lines.map((line, at) => `${line}  ${tags[at]}`.trimEnd());
}

function range(start: number, end: number): string {
  return start === end ? `slot ${start}` : `slots ${start} to ${end} (${end - start + 1})`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}
