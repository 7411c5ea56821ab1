/**
 * The parts of ioredis that the shim touches, described by shape: the package
 * imports nothing from ioredis, so one build serves 5.x, 6.x and iovalkey.
 */

/** One reply position of `exec()`, as ioredis gives it. */
export type Reply = [error: Error | null, result?: unknown];

/** A recorded ioredis `Command`: prefixed, transformed, not yet sent. */
export interface WireCommand {
  name: string;
  args: unknown[];
  readonly promise: Promise<unknown>;
  inTransaction?: boolean;
  isReadOnly?: boolean;
  pipelineIndex?: number;
  /** What ioredis 6 notes of the connection for reply transformers. */
  protocol?: unknown;
  replyMapping?: unknown;
  getKeys(): (string | Uint8Array)[];
  reject(error: Error): void;
  resolve(value: unknown): unknown;
  transformReply(reply: unknown): unknown;
}

/** An ioredis `Pipeline`; `_queue` and `_transactions` are private there. */
export interface PipelineLike {
  _queue: WireCommand[];
  _transactions: number;
  options: { keyPrefix?: string | Uint8Array; showFriendlyErrorStack?: boolean };
  addBatch(commands: readonly unknown[][]): PipelineLike;
  call(name: string, ...args: unknown[]): unknown;
  exec(callback?: ExecCallback): unknown;
  sendCommand(command: WireCommand): PipelineLike;
}

export type ExecCallback = (error: Error | null, replies?: Reply[] | null) => void;

/** A connection to one node: an ioredis `Redis` out of `cluster.nodes()`. */
export interface Connection {
  status: string;
  options: { host?: string; port?: number };
  stream: { readonly writable: boolean; write(data: string | Uint8Array): unknown };
  callBuffer(name: string, ...args: unknown[]): Promise<unknown>;
  cluster(subcommand: 'SLOTS' | 'NODES'): Promise<unknown>;
  connect(): Promise<void>;
  off(event: string, listener: () => void): unknown;
  on(event: string, listener: () => void): unknown;
  pipeline(): ConnectionPipeline;
  sendCommand(command: WireCommand, stream: PipelineStream): unknown;
}

/** What ioredis' pipeline hands to `sendCommand`, so that it is written to in place of a socket. */
export interface PipelineStream {
  isPipeline: true;
  destination: { redis: Connection };
  write(data: string | Uint8Array): void;
}

export interface ConnectionPipeline {
  asking(): unknown;
  exec(): Promise<unknown>;
  sendCommand(command: WireCommand): unknown;
}

export interface NatAddress {
  host: string;
  port: number;
}

export type NatMap =
  | Record<string, NatAddress>
  | ((address: string) => NatAddress | null | undefined);

export type ScaleReads =
  | 'master'
  | 'slave'
  | 'all'
  | ((nodes: Connection[], command: WireCommand) => Connection | Connection[] | null | undefined);

/** An ioredis `Cluster`, as far as the shim uses it. */
export interface ClusterClient {
  readonly addedBuiltinSet: ReadonlySet<string>;
  readonly scriptsSet: object;
  /** Private in ioredis; it brings in nodes through this when it follows a redirect itself. */
  readonly connectionPool?: { findOrCreate?(node: { host: string; port: number }): unknown };
  /** Private in ioredis: set while its next attempt to connect is due. */
  readonly reconnectTimeout?: NodeJS.Timeout | null;
  status: string;
  options: {
    clusterNodeRetryStrategy?: unknown;
    keyPrefix?: string | Uint8Array;
    maxRedirections?: number;
    natMap?: NatMap;
    redisOptions?: { autoResendUnfulfilledCommands?: boolean };
    scaleReads?: ScaleReads;
    slotsRefreshTimeout?: number;
  };
  cluster(subcommand: 'SLOTS'): Promise<unknown>;
  connect(): Promise<void>;
  getBuiltinCommands(): string[];
  nodes(role?: 'all' | 'master' | 'slave'): Connection[];
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  once(event: string, listener: () => void): unknown;
  pipeline(): PipelineLike;
  refreshSlotsCache(callback: (error?: Error | null) => void): void;
}

/**
 * What `redslot()` accepts: anything with these methods. The parameter
 * types stay loose because those of ioredis 5, ioredis 6 and iovalkey differ.
 */
export interface ClusterLike {
  /** The state of its connections, such as `'ready'`. */
  status: string;
  /** What it was made with. */
  options: object;
  /** Its own pipeline, whose type `redslot().pipeline()` has. */
  // biome-ignore lint/suspicious/noExplicitAny: the return type is the caller's own
  pipeline(commands?: unknown[][]): any;
  /** Its connections. */
  // biome-ignore lint/suspicious/noExplicitAny: ioredis' role type is a union of its own
  nodes(role?: any): unknown[];
}

const METHODS = ['pipeline', 'nodes', 'cluster', 'on', 'off', 'refreshSlotsCache'] as const;

/** Checks by shape, so that two copies of ioredis in one process both pass. */
export function asClusterClient(cluster: unknown): ClusterClient {
  const candidate = cluster as Partial<Record<string, unknown>> | null | undefined;
  const isCluster =
    typeof candidate === 'object' &&
    candidate !== null &&
    candidate.isCluster === true &&
    METHODS.every((method) => typeof candidate[method] === 'function');
  if (!isCluster) {
    throw new TypeError(
      'redslot() takes a Cluster of ioredis 5, ioredis 6 or iovalkey; a single node needs no slots',
    );
  }
  return cluster as ClusterClient;
}

/** Whether a command was made by `defineCommand`: such have a class of their own. */
export function isScript(command: WireCommand): boolean {
  const shared = Object.getPrototypeOf(Object.getPrototypeOf(command));
  return Object.getPrototypeOf(shared) !== null;
}
