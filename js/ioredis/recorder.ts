import type { ClusterClient, ExecCallback, PipelineLike, Reply, WireCommand } from './client.js';
import type { CommandKeys } from './command-keys.js';
import { ownPipeline } from './install.js';
import { recordPlainly } from './plain-methods.js';

/** Makes a command of its array form. */
export type Make = (command: readonly unknown[]) => WireCommand;

type Execute = (commands: WireCommand[]) => Promise<Reply[]>;

/**
 * A pipeline of the cluster that records instead of sending, so that key
 * prefixes, argument transformers, scripts and callbacks are ioredis' own; only
 * `exec()` differs, and plain commands cost less.
 */
export function recorder(
  client: ClusterClient,
  keys: CommandKeys,
  execute: Execute,
  commands?: readonly unknown[][],
): PipelineLike {
  const pipeline = ownPipeline(client);
  recordPlainly(pipeline);
  pipeline.sendCommand = (command) => {
    if (pipeline._transactions > 0) command.inTransaction = true;
    command.pipelineIndex = pipeline._queue.length;
    keys.complete(command);
    pipeline._queue.push(command);
    return pipeline;
  };
  pipeline.addBatch = (batch) => addBatch(client, keys, pipeline, batch);
  pipeline.exec = execOf(pipeline, execute);
  return commands ? pipeline.addBatch(commands) : pipeline;
}

/** Makes one command after the other, as a pipeline records them. */
export function maker(client: ClusterClient, keys: CommandKeys): Make {
  let pipeline: PipelineLike | undefined;
  const recorded = (command: readonly unknown[]) => {
    pipeline ??= recorder(client, keys, async () => []);
    record(client, keys, pipeline, command, 0);
    return pipeline._queue.pop();
  };
  return (command) => {
    const made = recorded(command);
    if (made) return made;
    // A script that was defined since the pipeline was made.
    pipeline = undefined;
    return recorded(command) as WireCommand;
  };
}

function execOf(pipeline: PipelineLike, execute: Execute): PipelineLike['exec'] {
  let outcome: Promise<Reply[]> | undefined;
  return (callback) => {
    // As in ioredis, the first exec() after multi() closes the transaction.
    if (pipeline._transactions > 0) {
      pipeline._transactions -= 1;
      return pipeline.call('exec');
    }
    outcome ??= execute(taken(pipeline));
    if (typeof callback === 'function') report(outcome, callback);
    return outcome;
  };
}

/**
 * ioredis' accessor for `length` is part of what V8 collects only in full, and keeps the pipeline
 * for as long; so the commands leave it, and their number stays.
 */
function taken(pipeline: PipelineLike): WireCommand[] {
  const recorded = pipeline._queue;
  pipeline._queue = new Array(recorded.length);
  return recorded;
}

/** An error thrown by the callback is the application's, not the batch's. */
function report(outcome: Promise<Reply[]>, callback: ExecCallback): void {
  const later = (error: Error | null, replies?: Reply[]) =>
    setImmediate(() => callback(error, replies));
  outcome.then((replies) => later(null, replies), later);
}

function addBatch(
  client: ClusterClient,
  keys: CommandKeys,
  pipeline: PipelineLike,
  batch: readonly unknown[],
): PipelineLike {
  batch.forEach((entry, position) => {
    record(client, keys, pipeline, entry, position);
  });
  return pipeline;
}

/** Records a command in its array form. */
function record(
  client: ClusterClient,
  keys: CommandKeys,
  pipeline: PipelineLike,
  entry: unknown,
  position: number,
): void {
  const name: unknown = Array.isArray(entry) ? entry[0] : undefined;
  if (typeof name !== 'string') {
    throw new TypeError(`pipeline command ${position} must be an array that starts with a name`);
  }
  const args = (entry as unknown[]).slice(1);
  if (!isMethod(client, keys, name)) pipeline.call(name, ...args);
  else (pipeline as never as Record<string, (...a: unknown[]) => void>)[name]?.(...args);
}

/** ioredis itself throws on a name without a method, such as one in upper case. */
function isMethod(client: ClusterClient, keys: CommandKeys, name: string): boolean {
  if (name === 'call' || name === 'callBuffer') return true;
  const command = name.endsWith('Buffer') ? name.slice(0, -'Buffer'.length) : name;
  if (command === 'exec') return false;
  return (
    keys.isKnown(command) ||
    Object.hasOwn(client.scriptsSet, command) ||
    client.addedBuiltinSet.has(command)
  );
}
