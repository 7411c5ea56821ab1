import { resolve } from 'node:path';
import { capture, Failure, isProgram, onPath } from './run.mjs';
import { defaultServers } from './server-catalogue.mjs';
import { cachedServer, fetchServer } from './server-fetch.mjs';

// npm changes to the root of the package and keeps the user's directory here.
const startDir = process.env.INIT_CWD ?? process.cwd();

/**
 * @typedef {object} Server
 * @property {string} path
 * @property {string} version as in "Redis 7.0.15"
 */

/**
 * A real server to test with: $REDIS_SERVER, else one on PATH, else one from the cache, else
 * fetched into the cache.
 * @param {(what: string) => void} [announce] told before something is fetched
 * @returns {Server}
 */
export function findServer(announce = () => {}) {
  const chosen = process.env.REDIS_SERVER;
  if (chosen) {
    const path = chosen.includes('/') ? resolve(startDir, chosen) : (onPath(chosen) ?? chosen);
    if (!isProgram(path)) throw new Failure(`REDIS_SERVER names no program: ${chosen}`);
    return describeServer(path);
  }
  const present = onPath('redis-server') ?? onPath('valkey-server') ?? firstCached();
  return describeServer(present ?? fetchAny(announce));
}

function firstCached() {
  return defaultServers.map(cachedServer).find((path) => path !== null) ?? null;
}

/** @param {(what: string) => void} announce */
function fetchAny(announce) {
  const failures = [];
  for (const name of defaultServers) {
    announce(name);
    try {
      return fetchServer(name);
    } catch (error) {
      failures.push(`  ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const install = process.platform === 'darwin' ? 'brew install redis' : 'your package manager';
  throw new Failure(
    `No redis-server or valkey-server is on PATH and none could be fetched:\n${failures.join('\n')}\n` +
      `Install one (${install}) or set REDIS_SERVER to the path of one.`,
  );
}

/**
 * @param {string} path
 * @returns {Server}
 */
export function describeServer(path) {
  const text = capture(path, ['--version']);
  const [, name, version] = text.match(/^(\w+) server v=(\S+)/i) ?? [];
  if (!name || !version) throw new Failure(`${path} is no Redis or Valkey server.`);
  return { path, version: `${name} ${version}` };
}
