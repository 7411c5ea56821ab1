/**
 * Repeats a check until it gives a truthy value, and gives that value.
 * A check that throws counts as "not yet"; the last error is told when time is up.
 * @template T
 * @param {string} what what is waited for, for the error message
 * @param {() => Promise<T> | T} check
 * @param {number} [timeout] milliseconds
 * @returns {Promise<T>}
 */
export async function until(what, check, timeout = 20_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    let failure;
    try {
      const value = await within(deadline - Date.now(), check());
      if (value) return value;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`still waiting after ${timeout} ms: ${what}`, { cause: failure });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T> | T} work may never settle, as that of a paused server
 * @returns {Promise<T>}
 */
async function within(ms, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ms);
  });
  try {
    return /** @type {T} */ (await Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}
