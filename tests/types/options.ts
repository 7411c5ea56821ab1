/** Compiled, never run: what `redslot()` and its batches take, and what they refuse. */
import type { Cluster, Redis } from 'ioredis';
import { type BatchOptions, type RedslotOptions, redslot } from 'redslot-wasm/ioredis';

export function taken(cluster: Cluster) {
  const options: RedslotOptions = {
    chunkBytes: 1 << 20,
    chunkCommands: 1000,
    keysOf: (name, args) => (name === 'ft.search' ? [] : [String(args[0])]),
    resend: 'reads',
    retryDelayMax: 1000,
    retryDelayMin: 10,
    splitMultiKey: false,
    timeout: Number.POSITIVE_INFINITY,
    topologyTimeout: 5000,
  };
  const own: BatchOptions = { resend: 'all', signal: AbortSignal.timeout(100), timeout: 500 };
  const slots = redslot(cluster, options);
  const restore: () => void = slots.install();
  return [slots.pipeline([], own), slots.mget(['a'], own), slots.del(['a'], own), restore];
}

export function refused(cluster: Cluster, single: Redis) {
  // @ts-expect-error a single node is no cluster
  redslot(single);
  // @ts-expect-error neither is nothing
  redslot();
  // @ts-expect-error no such option
  redslot(cluster, { retries: 3 });
  // @ts-expect-error a number of milliseconds
  redslot(cluster, { timeout: '5s' });
  // @ts-expect-error 'never', 'reads' or 'all'
  redslot(cluster, { resend: 'writes' });
  // @ts-expect-error a function
  redslot(cluster, { keysOf: { 'ft.search': [] } });
  // @ts-expect-error keys, not their positions
  redslot(cluster, { keysOf: () => [0] });
  // @ts-expect-error a signal ends one batch, not all of them
  redslot(cluster, { signal: AbortSignal.timeout(100) });

  const slots = redslot(cluster);
  // @ts-expect-error chunks are chosen for all batches
  slots.pipeline([], { chunkCommands: 10 });
  // @ts-expect-error commands are arrays
  slots.pipeline(['get', 'a']);
  // @ts-expect-error a signal, not what makes one
  slots.pipeline([], { signal: new AbortController() });
}
