/** Made by `scripts/build.mjs` from the command table that ioredis itself uses. */
declare module 'virtual:command-lists' {
  /** Commands that change nothing. */
  export const readOnly: readonly string[];
  /** Commands whose first argument is their only key. */
  export const firstKey: readonly string[];
}
