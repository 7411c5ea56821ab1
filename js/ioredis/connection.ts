import type { ClusterClient, Connection, NatMap } from './client.js';
import { isClosing } from './waiting.js';

/**
 * The key under which ioredis keeps the connection to the node at `endpoint`:
 * `host:port` after natMap.
 */
export function connectionKey(endpoint: string, natMap: NatMap | undefined): string {
  const mapped = translate(endpoint, natMap);
  return mapped ? `${mapped.host}:${mapped.port}` : endpoint;
}

function translate(endpoint: string, natMap: NatMap | undefined) {
  if (typeof natMap === 'function') return natMap(endpoint);
  return natMap && Object.hasOwn(natMap, endpoint) ? natMap[endpoint] : null;
}

/**
 * The connections that ioredis holds now. It replaces them as nodes come and
 * go, so they are looked up again before each send. Replicas are included:
 * after a failover the new primary may still be filed as one.
 */
export class Connections {
  readonly #client: ClusterClient;
  readonly #waiting = new WeakMap<Connection, Promise<void>>();
  readonly #watched = new WeakMap<Connection, Set<() => void>>();

  constructor(client: ClusterClient) {
    this.#client = client;
  }

  get(key: string): Connection | undefined {
    return this.#client.nodes('all').find((connection) => keyOf(connection) === key);
  }

  /**
   * Has ioredis connect to a node that a redirect named and it does not know. A
   * node without slots, such as the target of the first migration to it, is in no
   * topology that a refresh could find it in.
   */
  bringIn(key: string): void {
    if (this.get(key) || isClosing(this.#client)) return;
    const colon = key.lastIndexOf(':');
    const node = { host: key.slice(0, colon), port: Number(key.slice(colon + 1)) };
    this.#client.connectionPool?.findOrCreate?.(node);
  }

  /** Their keys, for messages. */
  keys(): string[] {
    return this.#client.nodes('all').map(keyOf);
  }

  /** Those that can be written to at once, in random order. */
  ready(): Connection[] {
    const ready = this.#client.nodes('all').filter(isWritable);
    return ready
      .map((node) => ({ node, rank: Math.random() }))
      .sort(byRank)
      .map((r) => r.node);
  }

  /**
   * Resolves once the connection can be written to or has closed. What is written
   * only then is never put in an offline queue, so "was it sent?" has an answer.
   */
  settled(connection: Connection): Promise<void> {
    if (isWritable(connection)) return Promise.resolve();
    let waiting = this.#waiting.get(connection);
    if (!waiting) {
      waiting = settling(connection).finally(() => this.#waiting.delete(connection));
      this.#waiting.set(connection, waiting);
    }
    return waiting;
  }

  /**
   * Calls back when the connection closes; gives the function that ends the
   * watch. One listener serves all batches on a connection.
   */
  watch(connection: Connection, closed: () => void): () => void {
    let watchers = this.#watched.get(connection);
    if (!watchers) {
      const fresh = new Set<() => void>();
      connection.on('close', () => {
        for (const watcher of [...fresh]) watcher();
      });
      this.#watched.set(connection, fresh);
      watchers = fresh;
    }
    watchers.add(closed);
    return () => watchers.delete(closed);
  }
}

export function keyOf({ options }: Connection): string {
  return `${options.host ?? '127.0.0.1'}:${options.port ?? 6379}`;
}

function byRank(a: { rank: number }, b: { rank: number }): number {
  return a.rank - b.rank;
}

/** Whether a command would leave at once. */
export function isWritable({ status, stream }: Connection): boolean {
  return status === 'ready' && stream?.writable === true;
}

function settling(connection: Connection): Promise<void> {
  if (connection.status === 'end' || connection.status === 'close') return Promise.resolve();
  return new Promise((resolve) => {
    const events = ['ready', 'close', 'end'];
    const conclude = () => {
      for (const event of events) connection.off(event, conclude);
      resolve();
    };
    for (const event of events) connection.on(event, conclude);
    if (connection.status === 'wait') connection.connect().catch(() => {});
  });
}
