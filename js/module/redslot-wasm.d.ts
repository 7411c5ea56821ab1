/** The module as text, which the build inlines. */
declare module '*/redslot.wasm' {
  const inlined: import('./text.js').Inlined;
  export default inlined;
}

/** The module as runtimes import it that compile nothing from bytes. */
declare module '*/redslot.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
