import { setMaxListeners } from 'node:events';
import type { Context } from './context.js';
import { Dispatcher } from './dispatcher.js';
import type { Entry } from './entry.js';
import type { Plan } from './plan.js';
import { failed } from './refusal.js';

/** A batch, as far as its session knows it. */
interface Member {
  readonly allDone: Promise<void>;
  failOpen(reason: (entry: Entry) => Error): void;
}

/**
 * What batches that follow each other share, so that commands of one slot keep
 * their order from one batch to the next: one dispatcher, and one numbering.
 */
export class Session {
  readonly dispatcher: Dispatcher;
  /** Made for the first pause, which most sessions never take. */
  #ended: AbortController | null = null;
  #isOver = false;
  readonly #open = new Set<Member>();
  #next = 0;
  #plan: Plan['map'] | null = null;
  #starting: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    const crash = (cause: unknown) => {
      for (const batch of this.#open) batch.failOpen((entry) => failed(entry, cause));
    };
    this.dispatcher = new Dispatcher(context, () => this.#signal(), crash);
  }

  /** Numbers the commands of a batch; gives the number of the first. */
  number(commands: number): number {
    const first = this.#next;
    this.#next += commands;
    return first;
  }

  /**
   * Starts a batch after those before it. By another map a slot may have another
   * primary, so what went out by the last one has to be done first.
   */
  start(batch: Member, prepare: () => Promise<Plan>): Promise<void> {
    const start = async () => {
      const planned = await prepare();
      if (this.#plan !== null && planned.map !== this.#plan) await this.#idle();
      this.#plan = planned.map;
      this.#open.add(batch);
      batch.allDone.finally(() => this.#open.delete(batch));
      this.dispatcher.start(planned);
    };
    const started = this.#starting.then(start);
    // One that failed to start has told its own commands.
    this.#starting = started.catch(() => {});
    return started;
  }

  /** Ends pauses; to be called when nothing is under way. */
  end(): void {
    this.#isOver = true;
    // Without a reason each end would make a DOMException, stack and all.
    this.#ended?.abort('ended');
  }

  #signal(): AbortSignal {
    if (this.#ended === null) {
      this.#ended = new AbortController();
      // One for each group of commands that waits.
      setMaxListeners(0, this.#ended.signal);
      if (this.#isOver) this.#ended.abort('ended');
    }
    return this.#ended.signal;
  }

  async #idle(): Promise<void> {
    await Promise.all([...this.#open].map(({ allDone }) => allDone));
  }
}
