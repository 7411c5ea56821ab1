/** Which commands are sent again when it is unknown whether they were executed. */
export type Resend = 'never' | 'reads' | 'all';

/** What can be chosen for all batches, and for each one anew. */
export interface BatchOptions {
  /**
   * Milliseconds from `exec()` after which a command without a final reply gets a
   * TIMEOUT error, queueing and redirects included; `Infinity` for none. Default
   * 60 000. A blocking command needs more than it may block.
   */
  timeout?: number;
  /**
   * What to do about commands whose connection was lost before their reply came:
   * `'never'` (the default) reports them, `'reads'` sends those again that change
   * nothing, `'all'` every one, at the risk of running it twice.
   */
  resend?: Resend;
  /** Ends the batch early: what has no final reply by then gets an ABORTED error. */
  signal?: AbortSignal;
}

/** What can be chosen for all batches of a wrapper; each is a `TypeError` when out of range. */
export interface RedslotOptions extends Omit<BatchOptions, 'signal'> {
  /** Most commands written to a node before its replies are awaited. Default 5000. */
  chunkCommands?: number;
  /**
   * Most argument bytes written to a node before its replies are awaited; a
   * single larger command is sent alone. Strings count one per UTF-16 unit.
   * Default 4 MiB.
   */
  chunkBytes?: number;
  /**
   * Whether MGET, MSET, DEL, UNLINK, EXISTS, TOUCH, JSON.MGET and JSON.MSET over
   * several slots are sent as one piece per slot, which is not atomic, and answered
   * as one. Otherwise they are refused like all others. Default true.
   */
  splitMultiKey?: boolean;
  /** Milliseconds to wait for CLUSTER SLOTS, connecting included. Default 10 000. */
  topologyTimeout?: number;
  /**
   * Milliseconds before a command is tried again after TRYAGAIN, CLUSTERDOWN,
   * LOADING, MASTERDOWN or a closed connection. Doubles each time. Default 50.
   */
  retryDelayMin?: number;
  /**
   * Most milliseconds between two tries. Default 2500, which with ioredis' 16
   * `maxRedirections` outlives the failover of a cluster with default timeouts.
   */
  retryDelayMax?: number;
  /**
   * The keys of a command that ioredis does not know, such as one of a module.
   * Without it the first argument is taken as the key.
   */
  keysOf?: (name: string, args: readonly unknown[]) => readonly (string | Uint8Array)[];
}

export type Settings = Required<Omit<RedslotOptions, 'keysOf'>> &
  Pick<RedslotOptions, 'keysOf'> &
  Pick<BatchOptions, 'signal'>;

const DEFAULTS = {
  chunkCommands: 5000,
  chunkBytes: 4 * 1024 * 1024,
  timeout: 60_000,
  topologyTimeout: 10_000,
  retryDelayMin: 50,
  retryDelayMax: 2500,
};

type Numeric = keyof typeof DEFAULTS;

/** The longest time that a Node.js timer can measure. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const RESEND: ReadonlySet<unknown> = new Set<Resend>(['never', 'reads', 'all']);

/** Fills in the defaults; an option out of range is a `TypeError` that names it. */
export function settings(options: RedslotOptions & BatchOptions): Settings {
  const { keysOf, resend = 'never', signal, splitMultiKey = true } = options;
  if (keysOf !== undefined && typeof keysOf !== 'function') {
    throw new TypeError('redslot option keysOf must be a function');
  }
  if (!RESEND.has(resend)) {
    throw new TypeError(`redslot option resend must be 'never', 'reads' or 'all'`);
  }
  if (signal !== undefined && !isSignal(signal)) {
    throw new TypeError('redslot option signal must be an AbortSignal');
  }
  if (typeof splitMultiKey !== 'boolean') {
    throw new TypeError('redslot option splitMultiKey must be true or false');
  }
  const names = Object.keys(DEFAULTS) as Numeric[];
  const numbers = Object.fromEntries(names.map((name) => [name, numeric(options, name)]));
  return {
    ...(numbers as Record<Numeric, number>),
    resend,
    splitMultiKey,
    ...(keysOf && { keysOf }),
    ...(signal && { signal }),
  };
}

/** By shape: test environments have an `AbortSignal` of their own. */
function isSignal(candidate: unknown): boolean {
  const { aborted, addEventListener } = (candidate ?? {}) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

function numeric(options: RedslotOptions, name: Numeric): number {
  const value = options[name] ?? DEFAULTS[name];
  if (name === 'timeout' && value === Number.POSITIVE_INFINITY) return value;
  if (!Number.isSafeInteger(value) || value < 1 || value > LONGEST_TIMER) {
    throw new TypeError(
      `redslot option ${name} must be an integer from 1 to ${LONGEST_TIMER}, not ${String(value)}`,
    );
  }
  return value;
}
