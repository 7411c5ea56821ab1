/** Hash slots in a cluster, numbered from 0. */
export const SLOT_COUNT = 16384;
