import type { ClusterClient } from './client.js';
import { RedslotError } from './error.js';

const CLOSING = new Set(['close', 'disconnecting', 'end']);

/**
 * Whether the application closed the cluster object. On its way to
 * "reconnecting" a cluster passes through "close", so a second look decides; and
 * a connection that goes late may put it back there while it waits to reconnect.
 */
export async function isClosed(client: ClusterClient): Promise<boolean> {
  if (!CLOSING.has(client.status)) return false;
  await new Promise((resolve) => setImmediate(resolve));
  return CLOSING.has(client.status) && !client.reconnectTimeout;
}

/** Whether the cluster object is closed or about to be; no new connection should be made. */
export function isClosing(client: ClusterClient): boolean {
  return CLOSING.has(client.status);
}

export function closed(reason = ''): RedslotError {
  return new RedslotError('CLOSED', `The cluster client is closed; nothing was sent${reason}`);
}

/**
 * Resolves when ioredis has read the topology for the first time. Until then its
 * connections are those of the startup nodes, which it may drop with all that was
 * sent over them once it learns other addresses for the same nodes.
 */
export async function connected(client: ClusterClient): Promise<void> {
  if (client.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    if (client.status === 'wait') client.connect().catch(reject);
  });
}

const watched = new WeakMap<ClusterClient, Set<() => void>>();

/**
 * Calls back when a cluster object closes, until the function that it gives is
 * called. One listener serves all, as Node.js warns of more than ten.
 */
function watchClose(client: ClusterClient, closed: () => void): () => void {
  const watchers = watched.get(client) ?? listen(client);
  watchers.add(closed);
  return () => watchers.delete(closed);
}

function listen(client: ClusterClient): Set<() => void> {
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const closed of [...watchers]) closed();
  };
  client.on('close', tell);
  client.on('end', tell);
  watched.set(client, watchers);
  return watchers;
}

/**
 * The outcome of `work`, or a `RedslotError`: CLOSED when the cluster object is
 * closed meanwhile (ioredis leaves commands pending for ever then), TOPOLOGY
 * after `timeout` milliseconds; `reason` ends their message.
 */
export function withDeadline<T>(
  client: ClusterClient,
  timeout: number,
  work: Promise<T>,
  reason: () => string = () => '',
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = (error: unknown) => {
      finish();
      reject(error);
    };
    const onClose = async () => {
      if (await isClosed(client)) fail(closed(reason()));
    };
    const timer = setTimeout(() => fail(late(timeout, reason())), timeout);
    const unwatch = watchClose(client, onClose);
    const finish = () => {
      clearTimeout(timer);
      unwatch();
    };
    // It may have been closed before there was anybody to listen.
    onClose();
    work.then((value) => {
      finish();
      resolve(value);
    }, fail);
  });
}

function late(timeout: number, reason: string): RedslotError {
  return new RedslotError(
    'TOPOLOGY',
    `CLUSTER SLOTS was not answered within ${timeout} ms${reason}`,
  );
}
