/** The module as JavaScript, which `scripts/translate.mjs` makes of the same WebAssembly. */

import { instantiate as start } from '../../pkg/redslot_translated.js';
import type { InitSource } from './source.js';

/** There is nothing to compile. @internal */
export type Compiled = 'translated';

/** @internal */
export function compile(): Compiled {
  return 'translated';
}

/** A source has nothing to give to what is compiled already. @internal */
export async function compileFrom(_source?: InitSource): Promise<Compiled> {
  return 'translated';
}

/** @internal */
export function instantiate(_: Compiled, imports: WebAssembly.Imports): WebAssembly.Exports {
  return start(imports, detach);
}

/** Whether this is what wasm2js throws in place of a trap. @internal */
export function isTrap(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'abort';
}

/** As growing a WebAssembly memory does to the buffer it had, so that no old view is used. */
function detach(buffer: ArrayBuffer): void {
  structuredClone(buffer, { transfer: [buffer] });
}
