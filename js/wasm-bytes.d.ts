/** The compiled module, which the build inlines as base64. */
declare module '*/redslot.wasm' {
  const base64: string;
  export default base64;
}
