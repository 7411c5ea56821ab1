import type { ClusterClient, PipelineLike, WireCommand } from './client.js';
import type { BatchOptions } from './options.js';

type Method = (...args: unknown[]) => unknown;
type Pipeline = (commands?: readonly unknown[][], options?: BatchOptions) => PipelineLike;

/** The methods of a cluster object that are replaced, with their variants for Buffers. */
const COMMANDS = ['mget', 'mgetBuffer', 'mset', 'del', 'unlink', 'exists', 'touch'] as const;

/** What stood in the place of each replaced method, by cluster object. */
const installed = new WeakMap<object, Map<string, PropertyDescriptor | undefined>>();

/**
 * Puts `pipeline` and the commands on one cluster object. Gives the function that
 * restores it; on an object that has them already, the second is a no-op.
 */
export function install(client: ClusterClient, pipeline: Pipeline): () => void {
  if (installed.has(client)) return () => {};
  const before = new Map<string, PropertyDescriptor | undefined>();
  const put = (name: string, value: Method) => {
    before.set(name, Object.getOwnPropertyDescriptor(client, name));
    Object.defineProperty(client, name, { value, configurable: true, writable: true });
  };
  put('pipeline', (commands) => pipeline(commands as unknown[][] | undefined));
  for (const name of COMMANDS) {
    if (typeof (client as never)[name] === 'function') put(name, single(pipeline, name));
  }
  installed.set(client, before);
  return () => {
    if (installed.get(client) !== before) return;
    installed.delete(client);
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(client, name, descriptor);
      else Reflect.deleteProperty(client, name);
    }
  };
}

/** A pipeline of ioredis' own, also while the method is replaced. */
export function ownPipeline(client: ClusterClient): PipelineLike {
  const before = installed.get(client);
  if (!before) return client.pipeline();
  const own: unknown = before.get('pipeline')?.value ?? Object.getPrototypeOf(client).pipeline;
  return (own as Method).call(client) as PipelineLike;
}

/** A pipeline of one command, whose promise is the command's: callbacks work as in ioredis. */
function single(pipeline: Pipeline, name: string): Method {
  return (...args) => {
    const one = pipeline() as unknown as Record<string, Method> & PipelineLike;
    one[name]?.(...args);
    const [command] = one._queue as [WireCommand];
    // The outcome of the batch is that of the command, which the caller gets.
    (one.exec() as Promise<unknown>).catch(() => {});
    // A rejection that nobody handles is reported, unless a callback took it, as in ioredis.
    const hasCallback = typeof args.at(-1) === 'function';
    return hasCallback ? command.promise : command.promise.then((reply) => reply);
  };
}
