import { channel } from 'node:diagnostics_channel';

/** Published on `redslot:batch` when an `exec()` is done. */
export interface BatchMessage {
  /** Commands of the batch. */
  commands: number;
  /** Commands whose reply is an error. */
  errors: number;
  /** From `exec()` to the last reply. */
  milliseconds: number;
}

/** Published on `redslot:redirect` for each command that a node did not execute. */
export interface RedirectMessage {
  /** First word of the answer, such as MOVED; CLOSED where there was none. */
  answer: string;
  /** Hash slot of the command, null where it has none. */
  slot: number | null;
  /** `host:port` of the node that answered, null where none was reached. */
  from: string | null;
  /** `host:port` of the node that it named, or null. */
  to: string | null;
}

/** Published on `redslot:refresh` when the topology was fetched, or could not be. */
export interface RefreshMessage {
  /** Primaries found; null when the fetch failed. */
  primaries: number | null;
  /** From the question to the answer, connecting included. */
  milliseconds: number;
}

const batches = channel('redslot:batch');
const redirects = channel('redslot:redirect');
const refreshes = channel('redslot:refresh');

// Messages are made only for subscribers, so that nobody else pays for them.

export function publishBatch(message: () => BatchMessage): void {
  if (batches.hasSubscribers) batches.publish(message());
}

export function publishRedirect(message: RedirectMessage): void {
  if (redirects.hasSubscribers) redirects.publish(message);
}

export function publishRefresh(message: RefreshMessage): void {
  if (refreshes.hasSubscribers) refreshes.publish(message);
}
