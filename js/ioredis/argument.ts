/** A key as ioredis takes it; a string goes over the wire as UTF-8. */
export type ClientKey = string | Uint8Array;

/** A value as ioredis takes it; a number is written in decimals. */
export type ClientValue = string | number | Uint8Array;
