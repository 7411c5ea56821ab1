import { bytesOf } from '../keys.js';

/**
 * What {@link init} compiles: a `WebAssembly.Module`, its bytes (an `ArrayBuffer` or a view of one), a
 * `Response` with them or the promise of one, or the `URL` to fetch them from.
 *
 * Their types are not known to every project: some belong to the library `dom`, some to the types of
 * Node.js. Of `WebAssembly.Module` the former says no more than that it is an object.
 */
export type InitSource = object;

/**
 * @throws A `TypeError` or `WebAssembly` error (as a rejection).
 * @internal
 */
export async function compileSource(source: InitSource): Promise<WebAssembly.Module> {
  // By tag, not by instanceof, so that objects of another realm count too.
  const tag = Object.prototype.toString.call(source);
  if (tag === '[object WebAssembly.Module]') return source as WebAssembly.Module;
  if (ArrayBuffer.isView(source) || tag === '[object ArrayBuffer]') {
    return WebAssembly.compile(bytesOf(source, 'source') as BufferSource);
  }
  const response = await (tag === '[object URL]' ? load(source as URL) : (source as Response));
  if (typeof response?.arrayBuffer !== 'function') {
    throw new TypeError('init takes a WebAssembly.Module, bytes, a Response or a URL');
  }
  if (!response.ok) throw new TypeError(`init: ${response.url} answered ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function load(url: URL): Promise<Response> {
  const { process } = globalThis;
  // The fetch of Node does not read files.
  const files = url.protocol === 'file:' && process?.getBuiltinModule?.('node:fs/promises');
  return files ? new Response(new Uint8Array(await files.readFile(url))) : fetch(url);
}

/** Whether this is what a trap of the module throws. @internal */
export function isTrap(cause: unknown): boolean {
  return cause instanceof WebAssembly.RuntimeError;
}

/** @internal */
export function instantiate(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): WebAssembly.Exports {
  return new WebAssembly.Instance(module, imports).exports;
}
