import { type Connection, isScript } from './client.js';
import { connectionKey } from './connection.js';
import type { Context } from './context.js';
import type { Entry } from './entry.js';
import type { Settings } from './options.js';
import { isReadOnly } from './read-only.js';
import { classify, errorCode } from './redirect.js';
import { lost, tooManyRedirects } from './refusal.js';

/** How commands of one slot go on after an attempt that did not execute them. */
export interface Step {
  /** Connection key of the node that was named, or null to wait and ask the map again. */
  to: string | null;
  asking: boolean;
  refresh: boolean;
}

const DEFAULT_REDIRECTIONS = 16;

/** Notes an attempt in the trail; true when the cluster's `maxRedirections` are used up by it. */
export function spent({ client }: Context, entry: Entry, node: string | null, answer = 'CLOSED') {
  entry.trail = [...entry.trail, { node, answer }];
  return entry.trail.length > (client.options.maxRedirections ?? DEFAULT_REDIRECTIONS);
}

/**
 * What to do about a failed attempt: a step to try again, or null when the
 * command was failed for good. Notes what a MOVED reply teaches.
 */
export function nextStep(
  context: Context,
  connection: Connection,
  key: string,
  entry: Entry,
  error: Error,
): Step | null {
  if (error.name !== 'ReplyError') return resend(context, key, entry, error);
  if (isScript(entry.command) && errorCode(error) === 'NOSCRIPT') {
    // Sent again, a defined script goes as EVAL.
    if (spent(context, entry, key, 'NOSCRIPT')) {
      return stop(entry, tooManyRedirects(entry, key, error));
    }
    return { to: key, asking: false, refresh: false };
  }
  const redirect = classify(error);
  if (!redirect) return stop(entry, error);
  const over = spent(context, entry, key, errorCode(error));
  if (redirect.kind === 'WAIT') {
    return over ? stop(entry, error) : { to: null, asking: false, refresh: redirect.refresh };
  }
  const to = namedBy(context, connection, redirect);
  // A node that names itself has not settled yet; asking it at once would only repeat it.
  const moved = redirect.kind === 'MOVED' && to !== null && to !== key;
  if (moved) context.topology.learn(redirect.slot, to);
  if (over) {
    context.topology.forget();
    return stop(entry, tooManyRedirects(entry, key, error));
  }
  if (to !== null) context.connections.bringIn(to);
  if (redirect.kind === 'ASK' && to !== null) return { to, asking: true, refresh: false };
  return { to: moved ? to : null, asking: false, refresh: true };
}

/** Connection key of the node that a redirect names; null for "?", a hostname that is not known. */
function namedBy(
  { client }: Context,
  connection: Connection,
  { host, port }: { host: string; port: number },
): string | null {
  if (host === '?') return null;
  return host
    ? connectionKey(`${host}:${port}`, client.options.natMap)
    : `${connection.options.host}:${port}`;
}

/** A reply is missing: only the caller can tell whether the command may run twice. */
function resend(context: Context, key: string, entry: Entry, error: Error): Step | null {
  const { resend: which } = context.settings;
  const allowed = which === 'all' || (which === 'reads' && isReadOnly(entry.command));
  if (!allowed || spent(context, entry, key)) return stop(entry, lost(entry, key, error));
  entry.uncertain = true;
  return { to: null, asking: false, refresh: true };
}

function stop(entry: Entry, error: Error): null {
  entry.fail(error);
  return null;
}

/** Milliseconds before attempt `n`: doubling, bounded, spread so that batches do not march in step. */
export function backoff(n: number, { retryDelayMin, retryDelayMax }: Settings): number {
  const delay = Math.min(retryDelayMax, retryDelayMin * 2 ** (n - 1));
  return delay * (0.75 + Math.random() / 2);
}
