import { firstKey } from 'virtual:command-lists';
import { splitOf, splittable } from '../split.js';
import type { PipelineLike, WireCommand } from './client.js';
import { prefixed } from './command-keys.js';
import { OwnCommand, type Transform } from './own-command.js';

type Method = (this: PipelineLike, ...args: unknown[]) => PipelineLike;
type Methods = Record<string, Method | undefined>;
type Rewrite = (args: unknown[]) => unknown;
/** That of iovalkey may take and give the name of the command as well, before its arguments. */
type Transformer =
  | Rewrite
  | { readonly transformerFunction: Rewrite; readonly includeCommand?: boolean };
type Transformers = Record<string, Transformer | undefined>;

/** By the prototype of ioredis' own pipelines, that of those which record plainly; null for none. */
const prototypes = new WeakMap<object, object | null>();

/**
 * Gives a pipeline methods that record a command without ioredis' `Command`, which takes several
 * times as long to make and to collect, where the difference cannot be seen: for commands whose
 * keys stand where they are known to, and whose arguments are all text, numbers or Buffers.
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
  OwnCommand.adopt(Command.prototype);
  const plain = Object.create(own) as Methods;
  for (const name of [...firstKey, ...splittable()]) {
    const utf8: Transform = { replyEncoding: 'utf8', transformReply };
    const bytes: Transform = { replyEncoding: null, transformReply };
    for (const [method, transform] of [
      [name, utf8],
      [`${name}Buffer`, bytes],
    ] as const) {
      // One that an application put on the prototype of pipelines stays in charge.
      if (typeof own[method] !== 'function' || Object.hasOwn(own, method)) continue;
      plain[method] = methodFor({ name, method, transform }, own, transformers);
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

interface Named {
  readonly name: string;
  readonly method: string;
  readonly transform: Transform;
}

function methodFor(
  { name, method, transform }: Named,
  own: Methods,
  transformers: Transformers,
): Method {
  const slow = own[method] as Method;
  const step = splitOf(name)?.step ?? Number.POSITIVE_INFINITY;
  return function (...args) {
    // Looked up again, because an application may replace it later.
    const current = own[method] as Method;
    const { keyPrefix, showFriendlyErrorStack } = this.options;
    const plain = current === slow && !showFriendlyErrorStack;
    const list = plain ? listOf(args, step, transformers[name]) : null;
    if (list === null) return current.apply(this, args);
    return this.sendCommand(new OwnCommand(name, textsOf(list, step, keyPrefix), transform));
  };
}

/** The arguments in one list that may be changed, or null where ioredis has to look at them. */
function listOf(
  args: unknown[],
  step: number,
  transformer: Transformer | undefined,
): PlainArgument[] | null {
  const [first] = args;
  const isList = step < Number.POSITIVE_INFINITY && args.length === 1 && Array.isArray(first);
  let list: unknown = isList ? first.slice() : args;
  if (transformer) {
    const rewrite = rewriteOf(transformer);
    // It is given what is left when ioredis has taken the callback off and flattened lists.
    const hasMore = (arg: unknown) => typeof arg === 'function' || Array.isArray(arg);
    if (rewrite === null || (list as unknown[]).some(hasMore)) return null;
    const given: unknown = rewrite([...(list as unknown[])]);
    list = Array.isArray(given) ? given.slice() : given;
  }
  if (!isPlain(list)) return null;
  return step < Number.POSITIVE_INFINITY && list.length % step > 0 ? null : list;
}

/** What rewrites arguments and nothing else, or null. */
function rewriteOf(transformer: Transformer): Rewrite | null {
  if (typeof transformer === 'function') return transformer;
  return transformer.includeCommand ? null : transformer.transformerFunction;
}

/** The arguments as they go over the wire. */
function textsOf(
  list: PlainArgument[],
  step: number,
  prefix: string | Uint8Array | undefined,
): (string | Buffer)[] {
  for (let at = 0; at < list.length; at++) {
    if (typeof list[at] === 'number') list[at] = String(list[at]);
  }
  const texts = list as (string | Buffer)[];
  if (!prefix) return texts;
  for (let at = 0; at < texts.length; at += step) {
    texts[at] = prefixed(prefix, texts[at] as string | Buffer);
  }
  return texts;
}

type PlainArgument = string | number | Buffer;

function isPlain(args: unknown): args is PlainArgument[] {
  if (!Array.isArray(args) || args.length === 0) return false;
  for (let at = 0; at < args.length; at++) {
    const arg: unknown = args[at];
    if (typeof arg !== 'string' && typeof arg !== 'number' && !(arg instanceof Buffer))
      return false;
  }
  return true;
}
