/** The module, compiled by the runtime that imports it (Cloudflare's workerd). */

import module from '../../pkg/redslot.wasm?module';
import { compileSource, type InitSource } from './source.js';

export { instantiate, isTrap } from './source.js';

/** @internal */
export type Compiled = WebAssembly.Module;

/** @internal */
export function compile(): Compiled {
  return module;
}

/** @internal */
export async function compileFrom(source?: InitSource): Promise<Compiled> {
  return source === undefined ? module : compileSource(source);
}
