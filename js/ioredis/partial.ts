import type { ClientKey as Key } from './argument.js';
import type { Entry } from './entry.js';
import { RedslotError, showKey } from './error.js';

/** One key that a command over several slots, or a call over many keys, failed on. */
export interface KeyFailure {
  /** Position among the keys of the command or call. */
  readonly index: number;
  /** The key as it went over the wire, prefix included. */
  readonly key: Key;
  /** Its hash slot. */
  readonly slot: number;
  /** The error of the server, or a `RedslotError`. Keys of one slot share it. */
  readonly error: Error;
  /** Whether a server may have executed the part with this key all the same. */
  readonly executed: 'no' | 'unknown';
}

/** What one key failed on; a server's own error means that it was not executed. */
export function failureOf(index: number, key: Key, slot: number, error: Error): KeyFailure {
  const { executed = 'no' } = error as Partial<RedslotError>;
  return { index, key, slot, error, executed };
}

/** A command or call over several keys that failed on some or all of them; code PARTIAL. */
export class PartialError extends RedslotError {
  override readonly name = 'PartialError';
  declare readonly code: 'PARTIAL';
  /** The keys that failed, in call order. */
  readonly failures: readonly KeyFailure[];
  /**
   * What the others gave: values with null where a key failed, or the count over
   * them. For writes `'OK'` when any key was written, else null.
   */
  readonly result: unknown;

  /**
   * The package makes them; an application does in its tests.
   *
   * @param ran whether any part was executed
   */
  constructor(message: string, failures: readonly KeyFailure[], ran: boolean, result: unknown) {
    const executed = ran || failures.some((one) => one.executed === 'unknown') ? 'unknown' : 'no';
    super('PARTIAL', message, { executed, cause: failures[0]?.error });
    this.failures = failures;
    this.result = result;
  }
}

/**
 * For a command whose pieces did not all succeed.
 *
 * @param ran whether any piece did
 * @param merged the reply made of those that did, as a server would have sent it
 */
export function partial(
  { command }: Entry,
  failures: readonly KeyFailure[],
  ran: boolean,
  merged: unknown,
): PartialError {
  const own = Object.getPrototypeOf(command) as typeof command;
  const result = attempt(() => own.transformReply.call(command, merged));
  return new PartialError(told(command.name.toUpperCase(), failures), failures, ran, result);
}

/** How many keys failed, and what was said of the first. */
export function told(name: string, failures: readonly KeyFailure[]): string {
  const { key, slot, error } = failures[0] as KeyFailure;
  const keys = failures.length === 1 ? 'one of its keys' : `${failures.length} of its keys`;
  // Of a command that it does not know a server repeats the arguments, values among them.
  const reason = error.message.replace(/, with args beginning with: .*$/s, '');
  return `${name} failed on ${keys}, first on ${showKey(key)} in slot ${slot}: ${reason}`;
}

/** A transformer of the application may not expect what is missing. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return null;
  }
}
