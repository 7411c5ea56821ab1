/** Whether two types are the same, `any` being the same as `any` alone. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles where the type is `true`. */
export const holds = <T extends true>(): T | undefined => undefined;
