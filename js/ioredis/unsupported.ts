import type { WireCommand } from './client.js';

const TRANSACTION = 'a transaction needs one connection; run it by cluster.multi() on one hash tag';
const SUBSCRIPTION = 'a subscription needs a connection of its own; call it on the cluster';
const CONNECTION = 'it changes the state of a connection that all commands share';

const REASONS = new Map<string, string>([
  ...reasons(TRANSACTION, ['multi', 'exec', 'discard', 'watch', 'unwatch']),
  ...reasons(SUBSCRIPTION, ['subscribe', 'psubscribe', 'ssubscribe', 'monitor']),
  ...reasons(SUBSCRIPTION, ['unsubscribe', 'punsubscribe', 'sunsubscribe']),
  ...reasons(CONNECTION, ['asking', 'auth', 'hello', 'quit', 'readonly', 'readwrite', 'reset']),
  ...reasons(CONNECTION, ['select', 'psync', 'sync']),
]);

function reasons(reason: string, names: string[]): [string, string][] {
  return names.map((name) => [name, reason]);
}

/**
 * Why a command cannot be part of a batch over several nodes, or null. All that
 * stands between MULTI and EXEC is refused with them: sent alone, it would run
 * outside the transaction that its author asked for.
 */
export function unsupportedReason(command: WireCommand): string | null {
  if (command.inTransaction) return TRANSACTION;
  const name = command.name.toLowerCase();
  if (name === 'client' && String(command.args[0]).toLowerCase() === 'reply') return CONNECTION;
  return REASONS.get(name) ?? null;
}
