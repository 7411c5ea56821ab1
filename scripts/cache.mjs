import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A directory of this user for what is fetched once.
 * @param {...string} parts
 */
export function cacheDir(...parts) {
  const home =
    process.env.XDG_CACHE_HOME ||
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  const dir = join(home, 'redslot-wasm', ...parts);
  mkdirSync(dir, { recursive: true });
  return dir;
}
