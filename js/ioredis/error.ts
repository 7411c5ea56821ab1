import type { Hop } from './entry.js';

/** What went wrong, for programs. */
export type RedslotErrorCode =
  /** The keys of one command lie in several hash slots. */
  | 'CROSS_SLOT'
  /** A command over several slots failed on some of its keys; see `failures`. */
  | 'PARTIAL'
  /** No primary serves the slot of the command. */
  | 'UNOWNED'
  /** The command cannot be part of a batch over several nodes. */
  | 'UNSUPPORTED'
  /** ioredis has no connection to the primary that owns the slot. */
  | 'NO_NODE'
  /** The connection closed before the command could be written, each time it was tried. */
  | 'UNREACHABLE'
  /** MOVED or ASK more often than the cluster's `maxRedirections`. */
  | 'REDIRECTS'
  /** The connection was lost, or ioredis gave up on it, before the reply came. */
  | 'NO_REPLY'
  /** The `timeout` of the batch passed. */
  | 'TIMEOUT'
  /** The `signal` of the batch was aborted. */
  | 'ABORTED'
  /** A function of the application threw, such as `natMap`; see `cause`. */
  | 'FAILED'
  /** The cluster object has ended or was disconnected. */
  | 'CLOSED'
  /** The cluster did not tell its topology. */
  | 'TOPOLOGY';

/** What an error tells beyond its code and message, as {@link RedslotError} describes it. */
export interface RedslotErrorDetails {
  /** Default null. */
  slot?: number | null;
  /** Default null. */
  node?: string | null;
  /** Default `'no'`. */
  executed?: 'no' | 'unknown';
  /** Default empty. */
  trail?: readonly Hop[];
  /** Default 0. */
  attempts?: number;
  /** What led to it; of an error of ioredis neither the command nor its arguments are kept. */
  cause?: unknown;
}

/**
 * Every error that this package itself puts at a position of a batch, or
 * rejects one with. Errors of a server are passed through untouched. The message
 * holds the command's name and shortened keys, never a value.
 */
export class RedslotError extends Error {
  override readonly name: string = 'RedslotError';
  /** What went wrong. */
  readonly code: RedslotErrorCode;
  /** Hash slot of the command, or null where it has none or several. */
  readonly slot: number | null;
  /** `host:port` of the node concerned, or null. */
  readonly node: string | null;
  /** `'no'` when no server executed the command, `'unknown'` when one may have. */
  readonly executed: 'no' | 'unknown';
  /** The nodes that did not execute the command, in order, with what they answered. */
  readonly trail: readonly Hop[];
  /** How often the command was written to a connection. */
  readonly attempts: number;

  /** The package makes them; an application does in its tests. */
  constructor(code: RedslotErrorCode, message: string, details: RedslotErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: withoutCommand(details.cause) } : undefined);
    this.code = code;
    this.slot = details.slot ?? null;
    this.node = details.node ?? null;
    this.executed = details.executed ?? 'no';
    this.trail = details.trail ?? [];
    this.attempts = details.attempts ?? 0;
  }
}

/** ioredis hangs the command on its errors, with values and passwords among the arguments. */
function withoutCommand(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('command' in cause)) return cause;
  const bare = new Error(cause.message);
  bare.name = cause.name;
  if (cause.stack) bare.stack = cause.stack;
  return bare;
}

const SHOWN_CHARACTERS = 40;

/** A key as it appears in a message: quoted, control characters escaped, shortened. */
export function showKey(key: string | Uint8Array): string {
  const text = typeof key === 'string' ? key : latin1(key.subarray(0, SHOWN_CHARACTERS + 1));
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  const quoted = JSON.stringify(cut);
  return typeof key === 'string' ? quoted : quoted.replace(/[\u007f-\u00ff]/g, hexEscape);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16)}`;
}
