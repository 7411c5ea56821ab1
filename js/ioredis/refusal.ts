import { keySlots } from '../index.js';
import type { Entry } from './entry.js';
import { RedslotError, type RedslotErrorCode, type RedslotErrorDetails, showKey } from './error.js';

type Key = string | Uint8Array;

const SHOWN_SLOTS = 4;

/** For a command whose keys lie in several slots. */
export function crossSlot(entry: Entry, keys: readonly Key[]): RedslotError {
  return new RedslotError(
    'CROSS_SLOT',
    `${title(entry)} was not sent: its ${crossSlotReason(keys)} A server takes keys of one slot ` +
      'only. Give them one hash tag, as in "{tag}a" and "{tag}b", or send one command per slot.',
  );
}

/** Names one key of each slot, up to four. */
export function crossSlotReason(keys: readonly Key[]): string {
  const firstOfSlot = new Map<number, Key>();
  keySlots(keys).forEach((slot, i) => {
    if (!firstOfSlot.has(slot)) firstOfSlot.set(slot, keys[i] as Key);
  });
  const shown = [...firstOfSlot]
    .slice(0, SHOWN_SLOTS)
    .map(([slot, key]) => `${showKey(key)} in slot ${slot}`);
  const more = firstOfSlot.size - shown.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return `keys lie in ${firstOfSlot.size} hash slots, ${shown.join(', ')}${rest}.`;
}

/** For a command whose slot no primary serves. */
export function unowned(entry: Entry, keys: readonly Key[] = []): RedslotError {
  const key = keys[0] === undefined ? '' : ` of ${showKey(keys[0])}`;
  return about(
    entry,
    'UNOWNED',
    `${title(entry)} was not sent: no primary serves hash slot ${entry.slot}${key}. ` +
      'CLUSTER INFO tells whether all slots are assigned.',
  );
}

/** For a command whose primary announced no address. */
export function noAddress(entry: Entry): RedslotError {
  return about(
    entry,
    'NO_NODE',
    `${title(entry)} was not sent: the primary that serves hash slot ${entry.slot} announces no ` +
      'address. Set cluster-announce-ip or cluster-announce-hostname on it.',
  );
}

export function unsupported(entry: Entry, reason: string): RedslotError {
  return new RedslotError(
    'UNSUPPORTED',
    `${title(entry)} was not sent, as it cannot be part of a pipeline over several nodes: ${reason}.`,
  );
}

/** For a command whose node ioredis does not know, even after it read the topology again. */
export function noNode(entry: Entry, node: string, known: readonly string[]): RedslotError {
  return about(
    entry,
    'NO_NODE',
    `${title(entry)} was not sent: the cluster names ${node} for hash slot ${entry.slot}, and ` +
      `ioredis has no connection to it. It has ${known.join(', ') || 'none at all'}. Where these ` +
      'are the same nodes under other names, natMap or dnsLookup make them agree.',
    { node },
  );
}

/** For a command whose connection closed each time before it could be written. */
export function unreachable(entry: Entry, node: string): RedslotError {
  return about(
    entry,
    'UNREACHABLE',
    `${title(entry)} was not sent: ${node} closed the connection ${entry.trail.length} times ` +
      'before it was ready.',
    { node },
  );
}

export function tooManyRedirects(entry: Entry, node: string, cause: Error): RedslotError {
  const reason = entry.askingError
    ? `ASKING was refused: ${entry.askingError.message}`
    : 'The nodes do not agree on who serves the slot';
  return about(
    entry,
    'REDIRECTS',
    `${title(entry)} ${outcome(entry).told}: ${entry.trail.length} redirects, the last from ${node}. ` +
      `${reason}; maxRedirections is the limit.`,
    { node, cause },
  );
}

/** For a command that was written and got no reply. */
export function lost(entry: Entry, node: string, cause: Error): RedslotError {
  return about(
    entry,
    'NO_REPLY',
    `${title(entry)} got no reply from ${node} and may or may not have been executed: ` +
      `${cause.message}`,
    { node, cause, executed: 'unknown' },
  );
}

/** @param reason a clause that begins with "; ", or nothing */
export function timedOut(entry: Entry, timeout: number, reason: string): RedslotError {
  const { told } = outcome(entry);
  return about(
    entry,
    'TIMEOUT',
    `${title(entry)} ${told}: no reply within the timeout of ${timeout} ms${reason}.`,
  );
}

/** For a command that was under way when the batch was aborted. */
export function aborted(entry: Entry, cause: unknown): RedslotError {
  const { told } = outcome(entry);
  return about(entry, 'ABORTED', `${title(entry)} ${told}: the batch was aborted.`, { cause });
}

/** For a batch whose signal was aborted before anything was sent. */
export function abortedUnsent(cause: unknown): RedslotError {
  return new RedslotError('ABORTED', 'The batch was aborted before it was sent.', { cause });
}

/** For a command that ioredis gave up on, by `commandTimeout`, while it waited to be tried again. */
export function lapsed(entry: Entry, cause: Error): RedslotError {
  return about(
    entry,
    'TIMEOUT',
    `${title(entry)} was not executed while it waited to be tried again: ${cause.message}.`,
    { cause },
  );
}

/** For a command that waited to be tried again when the cluster object was closed. */
export function closedOn(entry: Entry): RedslotError {
  const { told } = outcome(entry);
  return about(entry, 'CLOSED', `${title(entry)} ${told}: the cluster client was closed.`);
}

/** For a command under way when a function of the application threw, such as `natMap`. */
export function failed(entry: Entry, cause: unknown): RedslotError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const { told } = outcome(entry);
  return about(entry, 'FAILED', `${title(entry)} ${told}: the batch failed: ${reason}`, { cause });
}

/** Whether a command without a reply may have been executed, as a word and as a clause. */
function outcome(entry: Entry): { executed: 'no' | 'unknown'; told: string } {
  return entry.answered || entry.unanswered || entry.uncertain
    ? { executed: 'unknown', told: 'may or may not have been executed' }
    : { executed: 'no', told: 'was not executed' };
}

/** An error with all that is known of its command. */
function about(
  entry: Entry,
  code: RedslotErrorCode,
  message: string,
  more: Pick<RedslotErrorDetails, 'node' | 'cause' | 'executed'> = {},
): RedslotError {
  const earlier = ' An earlier attempt got no reply and may have been executed.';
  return new RedslotError(code, entry.uncertain ? message + earlier : message, {
    slot: entry.slot < 0 ? null : entry.slot,
    node: entry.answered ? entry.node : null,
    executed: outcome(entry).executed,
    trail: entry.trail,
    attempts: entry.attempts,
    ...more,
  });
}

/** The command's name as Redis documents it, bounded: it may come from the user. */
function title({ command }: Entry): string {
  return command.name.toUpperCase().slice(0, 40);
}
