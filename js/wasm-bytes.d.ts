/** The compiled module, which the build inlines. */
declare module '*/redslot.wasm' {
  const inlined: import('./inlined.js').Inlined;
  export default inlined;
}
