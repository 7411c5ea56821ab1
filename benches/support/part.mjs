/**
 * Runs one part in a process of its own, so that neither the heap nor the compiled code of one
 * part has a say in the figures of the next, and sends what it finds to the parent.
 */
import { scaleOf } from './scale.mjs';

const [name, mode] = process.argv.slice(2);

/** @param {Message} message */
const send = (message) =>
  new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve(null)));

/**
 * @typedef {{ section: import('./section.mjs').Section } | { progress: string } | { error: string }} Message
 */

// Without its parent nobody waits for it; servers end with the process.
process.once('disconnect', () => process.exit(1));

const scale = scaleOf(mode === 'quick', (progress) => void send({ progress }));
try {
  const { run } = await import(`../${name}.mjs`);
  for await (const section of run(scale)) await send({ section });
} catch (error) {
  await send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exitCode = 1;
}
process.exit();
