import type { Entry } from './entry.js';
import type { Step } from './retry.js';

/** Commands of one attempt that go on in the same way. */
export interface Group {
  readonly step: Step;
  readonly entries: Entry[];
}

/** Sorts the commands of a chunk that have to be sent again by how they go on. */
export class Regrouping {
  /** Those that could go on, but wait for earlier ones of their slot, at no cost to their budget. */
  readonly held: Entry[] = [];
  readonly #groups = new Map<string, Group>();
  /** Commands of one slot all take the step of the first, which keeps their order. */
  readonly #steps = new Map<number, Step>();
  /** Slots whose further commands wait for those that were asked for elsewhere. */
  readonly #closed = new Set<number>();

  get groups(): Group[] {
    return [...this.#groups.values()];
  }

  /** To be called in call order. Gives the step that the command takes. */
  add(entry: Entry, own: Step): Step {
    const step = this.#stepOf(entry.slot, own);
    const mustWait = step.to === null && own.to !== null;
    if (mustWait || this.#closed.has(entry.slot)) this.held.push(entry);
    else this.#addTo(step, entry);
    return step;
  }

  /**
   * The same for the parts of a command that has keys on both sides of a
   * migration. With ASKING the target would take keys that it has not got yet
   * for absent, so they never follow a command that was asked for there.
   */
  addParts(slot: number, parts: readonly Entry[], own: Step): Step {
    if (this.#steps.get(slot)?.asking) this.#closed.add(slot);
    for (const part of parts) this.add(part, own);
    return this.#stepOf(slot, own);
  }

  #stepOf(slot: number, own: Step): Step {
    const step = this.#steps.get(slot) ?? own;
    this.#steps.set(slot, step);
    return step;
  }

  #addTo(step: Step, entry: Entry): void {
    const name = `${step.to} ${step.asking} ${step.refresh}`;
    const group = this.#groups.get(name);
    if (group) group.entries.push(entry);
    else this.#groups.set(name, { step, entries: [entry] });
  }
}

/** Marks what is sent again although a later command of its slot has run. */
export function markReordered(chunk: readonly Entry[], again: readonly Entry[]): void {
  if (again.length === 0) return;
  const lastRun = new Map<number, number>();
  for (const { slot, index, ran } of chunk) if (ran) lastRun.set(slot, index);
  for (const entry of again) {
    if ((lastRun.get(entry.slot) ?? -1) > entry.index) entry.reordered = true;
  }
}
