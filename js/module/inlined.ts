/** The module, carried by the package's own code. */

import inlined from '../../pkg/redslot.wasm';
import { compileSource, type InitSource } from './source.js';
import { decode } from './text.js';

export { instantiate, isTrap } from './source.js';

/** @internal */
export type Compiled = WebAssembly.Module;

const INSTEAD =
  "Import from 'redslot-wasm/js' in place of 'redslot-wasm', which has the same API without it; " +
  'redslot-wasm/ioredis has no such form.';

/** @internal */
export function compile(): Compiled {
  assertPresent();
  try {
    return new WebAssembly.Module(decode(inlined));
  } catch (cause) {
    throw new Error(
      'redslot-wasm could not compile its WebAssembly module, which a Content-Security-Policy ' +
        `without 'wasm-unsafe-eval' or an edge runtime forbids. ${INSTEAD} ` +
        'Or call `await init()` once before the first use where only compiling synchronously is ' +
        'forbidden, or `await init(module)` with a WebAssembly.Module of redslot-wasm/redslot.wasm.',
      { cause },
    );
  }
}

/** @internal */
export async function compileFrom(source?: InitSource): Promise<Compiled> {
  assertPresent();
  return compileSource(source ?? decode(inlined));
}

function assertPresent(): void {
  if (typeof WebAssembly !== 'undefined') return;
  throw new Error(
    `redslot-wasm needs WebAssembly, which this runtime does not have, as with --jitless. ${INSTEAD}`,
  );
}
