/** The module, carried by the package's own code. */

import inlined from '../../pkg/redslot.wasm';
import { compileSource, type InitSource } from './source.js';
import { decode } from './text.js';

export { instantiate, isTrap } from './source.js';

/** @internal */
export type Compiled = WebAssembly.Module;

/** @internal */
export function compile(): Compiled {
  try {
    return new WebAssembly.Module(decode(inlined));
  } catch (cause) {
    throw new Error(
      'redslot-wasm could not compile its WebAssembly module synchronously from bytes. ' +
        'Call `await init()` once before the first use; where compiling from bytes is forbidden ' +
        "altogether (a Content-Security-Policy without 'wasm-unsafe-eval', an edge runtime), " +
        'call `await init(module)` with a WebAssembly.Module made of redslot-wasm/redslot.wasm, ' +
        'or import from redslot-wasm/js, which needs no WebAssembly.',
      { cause },
    );
  }
}

/** @internal */
export async function compileFrom(source?: InitSource): Promise<Compiled> {
  return compileSource(source ?? decode(inlined));
}
