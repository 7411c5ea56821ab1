import type { Redis, RedisOptions } from 'ioredis';
import { SlotMap } from '../index.js';
import { ExitCode } from './exit-code.js';
import { Failure, reasonOf } from './failure.js';
import type { Options } from './options.js';

/** Where the password is read from, as redis-cli does; an argument would be seen by others. */
const PASSWORD = 'REDISCLI_AUTH';

/** Milliseconds in which a node has to have answered, connecting included. */
const PATIENCE = 5000;

const DEFAULT_PORT = 6379;

interface Address {
  readonly host: string;
  readonly port: number;
}

type Settings = Pick<RedisOptions, 'username' | 'password' | 'tls'>;

/** The topology as the first node tells it that can be reached. */
export async function askCluster(list: string, { user, tls }: Options): Promise<SlotMap> {
  const addresses = list.split(',').map(addressOf);
  const password = process.env[PASSWORD];
  if (user !== undefined && !password) {
    throw new Failure(`--user needs the password in the environment variable ${PASSWORD}.`);
  }
  const settings: Settings = {
    ...(user !== undefined && { username: user }),
    ...(password && { password }),
    ...(tls && { tls: {} }),
  };
  const Client = await client();
  const troubles: string[] = [];
  for (const { host, port } of addresses) {
    try {
      return await ask(Client, { ...settings, host, port });
    } catch (error) {
      troubles.push(`  ${host}:${port}: ${reasonOf(error)}`);
    }
  }
  throw new Failure(
    `No node told the topology of the cluster:\n${troubles.join('\n')}`,
    ExitCode.unreachable,
  );
}

/** The class for a connection to one node, of whichever client is installed. */
async function client(): Promise<typeof Redis> {
  // Their first releases export the class by default only.
  const one =
    (await installed('ioredis', () => import('ioredis'))) ??
    (await installed('iovalkey', () => import('iovalkey')));
  if (one !== null) return (one.Redis ?? one.default) as typeof Redis;
  throw new Failure(
    '--cluster needs ioredis or iovalkey, and neither is installed beside redslot-wasm:\n' +
      'npx -p redslot-wasm -p ioredis redslot-wasm ..., or npm install redslot-wasm ioredis',
  );
}

/** A client, or null where it is not installed. */
async function installed<Module>(
  name: string,
  load: () => Promise<Module>,
): Promise<Module | null> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The code is the same where the client is there, and what it needs is not.
    const lacking = message.startsWith(`Cannot find package '${name}' `);
    if (code === 'ERR_MODULE_NOT_FOUND' && lacking) return null;
    throw new Failure(`${name} cannot be loaded: ${message}`);
  }
}

async function ask(Client: typeof Redis, options: Settings & Address): Promise<SlotMap> {
  const redis = new Client({
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE);
      // Tells why, where the call only tells that the connection is closed.
      redis.on('error', reject);
      redis
        .connect()
        .then(() => redis.cluster('SLOTS'))
        .then(resolve, reject);
    });
    return SlotMap.fromSlots(await answer, { fallbackHost: options.host });
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
}

/** Reads `host`, `host:port`, `[::1]:port` or `::1:port`, as ioredis' endpoints are written. */
function addressOf(text: string): Address {
  const [, bracketed, bare = bracketed, port] =
    /^(?:\[([^[\]]+)\]|([^[\]/@]+?))(?::(\d+))?$/.exec(text.trim()) ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (bare !== undefined && number > 0 && number < 65536) return { host: bare, port: number };
  // It is not repeated, as it may be a URL with a password in it.
  throw new Failure(
    `--cluster takes host:port, or several of them with commas; a password goes into ${PASSWORD}.`,
  );
}
