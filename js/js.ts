/**
 * All of `redslot-wasm` without WebAssembly: the same module, translated to JavaScript.
 *
 * For places that forbid compiling WebAssembly, such as a page whose Content-Security-Policy lacks
 * `'wasm-unsafe-eval'`. It is larger and hashes more slowly; `init` has nothing to do in it.
 *
 * @packageDocumentation
 * @module redslot-wasm/js
 */

export * from './index.js';
