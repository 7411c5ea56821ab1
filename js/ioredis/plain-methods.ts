import { firstKey } from 'virtual:command-lists';
import type { PipelineLike, WireCommand } from './client.js';
import { prefixed } from './command-keys.js';
import { OwnCommand, type Transform } from './own-command.js';

type Method = (this: PipelineLike, ...args: unknown[]) => PipelineLike;
type Methods = Record<string, Method | undefined>;
type Transformers = Record<string, ((args: unknown[]) => unknown) | undefined>;

/** By the prototype of ioredis' own pipelines, that of those which record plainly; null for none. */
const prototypes = new WeakMap<object, object | null>();

/**
 * Gives a pipeline methods that record a command without ioredis' `Command`, which takes several
 * times as long to make and to collect, where the difference cannot be seen: for commands with
 * one key, in front, whose arguments are all text, numbers or Buffers.
 */
export function recordPlainly(pipeline: PipelineLike): void {
  const own = Object.getPrototypeOf(pipeline) as object;
  let plain = prototypes.get(own);
  if (plain === undefined) {
    plain = prototypeOver(own as Methods);
    prototypes.set(own, plain);
  }
  if (plain !== null) Object.setPrototypeOf(pipeline, plain);
}

function prototypeOver(own: Methods): object | null {
  const Command = commandClass(own);
  const transformers = Command?._transformer?.argument;
  if (typeof Command?.prototype.transformReply !== 'function' || !transformers) return null;
  const { transformReply } = Command.prototype;
  const plain = Object.create(own) as Methods;
  for (const name of firstKey) {
    const utf8: Transform = { replyEncoding: 'utf8', transformReply };
    const bytes: Transform = { replyEncoding: null, transformReply };
    for (const [method, transform] of [
      [name, utf8],
      [`${name}Buffer`, bytes],
    ] as const) {
      const slow = own[method];
      // One that an application put on the prototype of pipelines stays in charge.
      if (typeof slow !== 'function' || Object.hasOwn(own, method)) continue;
      plain[method] = methodFor(name, slow, transform, transformers);
    }
  }
  return plain;
}

interface CommandClass {
  readonly prototype: WireCommand;
  readonly _transformer?: { readonly argument?: Transformers };
}

/** ioredis' own, as its methods make it. */
function commandClass({ ping }: Methods): CommandClass | undefined {
  const recorder = { isPipeline: true, options: {}, sendCommand: (command: object) => command };
  return ping?.call(recorder as never).constructor as CommandClass | undefined;
}

function methodFor(
  name: string,
  slow: Method,
  transform: Transform,
  transformers: Transformers,
): Method {
  return function (...args) {
    const { keyPrefix, showFriendlyErrorStack } = this.options;
    const transformer = transformers[name];
    const own = transformer ? transformer([...args]) : args;
    if (showFriendlyErrorStack || !isPlain(own)) return slow.apply(this, args);
    for (let at = 0; at < own.length; at++) {
      if (typeof own[at] === 'number') own[at] = String(own[at]);
    }
    const texts = own as (string | Buffer)[];
    if (keyPrefix) texts[0] = prefixed(keyPrefix, texts[0] as string | Buffer);
    return this.sendCommand(new OwnCommand(name, texts, transform));
  };
}

function isPlain(args: unknown): args is (string | number | Buffer)[] {
  if (!Array.isArray(args) || args.length === 0) return false;
  for (let at = 0; at < args.length; at++) {
    const arg: unknown = args[at];
    if (typeof arg !== 'string' && typeof arg !== 'number' && !(arg instanceof Buffer))
      return false;
  }
  return true;
}
