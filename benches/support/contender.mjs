import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inRounds } from './rounds.mjs';

/** @typedef {import('./pairs.mjs').Pairs} Pairs */
/** @typedef {import('./clients.mjs').Address} Address */

/**
 * How one client does the work.
 * @typedef {object} Way
 * @property {(nodes: Address[]) => Promise<(batch: Pairs) => Promise<any>>} open connects the
 *   client; gives what sends a batch
 * @property {(results: any[]) => unknown[]} [values] what was read, in the order of the keys
 */

/**
 * What a contender has to do.
 * @typedef {object} Job
 * @property {string} part the address of a module that exports `ways`
 * @property {string} way the name of one of these
 * @property {Address[]} nodes
 * @property {number} count how many pairs
 * @property {string} [prefix] what each key begins with
 * @property {number} size how many of them are sent at a time
 */

/** @typedef {'open' | 'try' | 'time'} Question */
/** @typedef {{ values?: unknown[] | undefined, milliseconds?: number, error?: string }} Answer */
/** @typedef {ReturnType<typeof startContender>} Contender */

const CHILD = fileURLToPath(new URL('contender-child.mjs', import.meta.url));

/**
 * Gives what `work` does with a process for each of the jobs, once all are connected, and ends all
 * of them whatever happens.
 * @template Result
 * @param {Job[]} jobs
 * @param {(contenders: Contender[]) => Promise<Result>} work
 */
export async function withContenders(jobs, work) {
  const contenders = jobs.map(startContender);
  try {
    await Promise.all(contenders.map(({ opened }) => opened));
    return await work(contenders);
  } finally {
    await Promise.all(contenders.map(({ end }) => end()));
  }
}

/**
 * Milliseconds per round of each contender, of which only one works at a time.
 * @param {Contender[]} contenders
 * @param {import('./rounds.mjs').Rounds} options
 */
export function byTurns(contenders, options) {
  return inRounds(contenders.length, options, (at) =>
    /** @type {Contender} */ (contenders[at]).time(),
  );
}

/** @param {Job} job */
function startContender(job) {
  const child = fork(CHILD, [JSON.stringify(job)]);
  const exit = once(child, 'exit');
  /** @type {Promise<Answer>} */
  const gone = exit.then(([code, signal]) => ({ error: `ended with ${signal ?? code}` }));
  const ask = async (/** @type {Question} */ question) => {
    // What is wrong when it does not arrive, the end of the process tells.
    child.send(question, () => {});
    const answer = await Promise.race([answerOf(child), gone]);
    if (answer.error !== undefined) throw new Error(`${job.way}: ${answer.error}`);
    return answer;
  };
  return {
    opened: ask('open'),
    /** Does the work once and gives what it read. */
    tryOut: async () => (await ask('try')).values,
    /** Does the work once and gives the milliseconds that it took. */
    time: async () => Number((await ask('time')).milliseconds),
    end: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<Answer>}
 */
async function answerOf(child) {
  const [answer] = await once(child, 'message');
  return answer;
}
