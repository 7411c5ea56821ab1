/** Made by `scripts/build.mjs` from the command table that ioredis itself uses. */
declare module 'virtual:read-only-commands' {
  const names: readonly string[];
  export default names;
}
