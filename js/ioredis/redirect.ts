import { SLOT_COUNT } from '../slot-count.js';

/** What a server's error asks of the client; null is an error for the caller. */
export type Redirect =
  | { kind: 'MOVED' | 'ASK'; slot: number; host: string; port: number }
  | { kind: 'WAIT'; refresh: boolean }
  | null;

/** Errors that mean "not executed, try later", and whether the topology may have changed. */
const WAITS = new Map([
  ['TRYAGAIN', false],
  ['LOADING', false],
  ['MASTERDOWN', false],
  ['CLUSTERDOWN', true],
  ['READONLY', true],
]);

/** First word of an error reply, such as `MOVED`. */
export function errorCode(error: Error): string {
  return error.message.split(' ', 1)[0] as string;
}

/**
 * Classifies an error reply of a server. A redirect whose slot or address is not
 * well formed is not followed. An empty host stays empty: it means the host of
 * the node that answered (cluster specification, "Redirection and resharding").
 */
export function classify(error: Error): Redirect {
  const code = errorCode(error);
  const refresh = WAITS.get(code);
  if (refresh !== undefined) return { kind: 'WAIT', refresh };
  if (code !== 'MOVED' && code !== 'ASK') return null;
  const match = /^(?:MOVED|ASK) (\d{1,5}) (\S*):(\d{1,5})$/.exec(error.message);
  if (!match) return null;
  const [slot, port] = [Number(match[1]), Number(match[3])];
  if (slot >= SLOT_COUNT || port === 0 || port > 65535) return null;
  return { kind: code, slot, host: match[2] as string, port };
}
