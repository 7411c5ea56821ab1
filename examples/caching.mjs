// A cache in front of a slow source: all that is wanted is read in one call, all that was missing
// is loaded in one call and written in one call, whatever nodes the keys live on.
//
//   REDIS_CLUSTER=127.0.0.1:7000 node examples/caching.mjs
//
// Run it twice within a minute, and the second run begins with a warm cache.
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { PartialError, redslot } from 'redslot-wasm/ioredis';

const TTL_SECONDS = 60;

/** @typedef {{ id: number, title: string }} Article */

const cluster = new Cluster((process.env.REDIS_CLUSTER ?? '127.0.0.1:7000').split(','));
cluster.on('error', (error) => console.error(`Cluster: ${error.message}`));
// A cache that takes longer than its source is of no use, so two seconds are enough here.
const slots = redslot(cluster, { timeout: 2000 });

/** @param {number} id */
const keyOf = (id) => `article:${id}`;

/**
 * The articles in the order of their ids, from the cache where it has them.
 * @param {number[]} ids
 */
async function getArticles(ids) {
  const cached = await readCache(ids.map(keyOf));
  const missing = ids.filter((_, i) => !cached[i]);
  const loaded = missing.length > 0 ? await loadArticles(missing) : new Map();
  await writeCache([...loaded.values()]);
  /** @type {Article[]} */
  const articles = ids.map((id, i) => {
    const text = cached[i];
    return text ? JSON.parse(text) : loaded.get(id);
  });
  return { articles, fromCache: ids.length - missing.length, fromSource: missing.length };
}

/**
 * @param {string[]} keys
 * @returns {Promise<(string | null)[]>}
 */
async function readCache(keys) {
  try {
    return await slots.mget(keys);
  } catch (error) {
    console.error(`  not read from the cache: ${told(error)}`);
    // Where some nodes failed, `result` has what the others gave, and null for the rest. A key
    // that could not be read is a miss like any other.
    if (!(error instanceof PartialError)) return keys.map(() => null);
    return /** @type {(string | null)[]} */ (error.result);
  }
}

/** @param {Article[]} articles */
async function writeCache(articles) {
  try {
    await slots.mset(
      articles.map((article) => [keyOf(article.id), JSON.stringify(article)]),
      { ttl: TTL_SECONDS },
    );
  } catch (error) {
    // The caller has its articles already; the keys that failed are loaded again next time.
    console.error(`  not written to the cache: ${told(error)}`);
  }
}

/** @param {unknown} error */
function told(error) {
  // Each of `failures` has a key with its slot and the error of its node.
  if (error instanceof PartialError) return `${error.failures.length} keys. ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Stands for a query such as SELECT ... WHERE id IN (...).
 * @param {number[]} ids
 * @returns {Promise<Map<number, Article>>}
 */
async function loadArticles(ids) {
  await sleep(100);
  return new Map(ids.map((id) => [id, { id, title: `Article number ${id}` }]));
}

/**
 * @param {string} title
 * @param {number[]} ids
 */
async function show(title, ids) {
  const started = performance.now();
  const { articles, fromCache, fromSource } = await getArticles(ids);
  const ms = Math.round(performance.now() - started);
  console.log(
    `${title}: ${articles.length} articles, ${fromCache} from the cache, ` +
      `${fromSource} from the source, ${ms} ms`,
  );
}

try {
  const ids = Array.from({ length: 200 }, (_, i) => i + 1);
  await show('First call', ids);
  await show('Second call', ids);

  const changed = ids.slice(0, 20);
  console.log(`Dropped from the cache: ${await slots.del(changed.map(keyOf))}`);
  await show('After the change', ids);
  console.log(`${keyOf(1)} expires in ${await cluster.ttl(keyOf(1))} s`);
} finally {
  cluster.disconnect();
}
