/** Compiled, never run: the calls over many keys, loading and scanning. */
import type { Cluster } from 'ioredis';
import {
  LoadError,
  type LoadItem,
  type LoadSummary,
  type PipelineExplanation,
  redslot,
} from 'redslot-wasm/ioredis';
import { holds, type Same } from './same.ts';

export async function manyKeys(cluster: Cluster) {
  const slots = redslot(cluster);
  const texts = await slots.mget(['a', Buffer.of(1)]);
  holds<Same<typeof texts, (string | null)[]>>();
  const buffers = await slots.mget(new Set(['a']), { buffer: true, timeout: 100 });
  holds<Same<typeof buffers, (Buffer | null)[]>>();
  const plain = await slots.mget(['a'], { buffer: false });
  holds<Same<typeof plain, (string | null)[]>>();
  const done = await slots.mset({ a: 1, b: 'x', c: Buffer.of(1) }, { ttl: 60 });
  holds<Same<typeof done, 'OK'>>();
  await slots.mset(new Map([['a', 1]]));
  await slots.mset([['a', 1] as const, [Buffer.of(1), 'x'] as const]);
  const counts = await Promise.all([
    slots.del(['a']),
    slots.unlink(['a']),
    slots.exists(['a']),
    slots.touch(['a']),
  ]);
  holds<Same<typeof counts, [number, number, number, number]>>();

  // @ts-expect-error keys come in one list
  slots.mget('a', 'b');
  // @ts-expect-error a key is text or bytes
  slots.del([1]);
  // @ts-expect-error a value is text, a number or bytes
  slots.mset({ a: null });
  // @ts-expect-error pairs, not a flat list
  slots.mset(['a', 'b']);
  // @ts-expect-error a time to live is in seconds, as a number
  slots.mset({ a: 1 }, { ttl: '60s' });
}

async function* lines(): AsyncGenerator<LoadItem> {
  yield ['a', 1];
  yield [Buffer.of(1), Buffer.of(2)];
}

export async function loads(cluster: Cluster) {
  const slots = redslot(cluster);
  const summary: LoadSummary = await slots.load(lines(), {
    onProgress: ({ written, rate }) =>
      holds<Same<[typeof written, typeof rate], [number, number]>>(),
  });
  await slots.load(new Map([['a', 'b']]));
  await slots.load([['zadd', 'board', 7, 'ann', { any: 'thing' }]], { commands: true });
  const [failure] = summary.failures;
  holds<Same<typeof failure, LoadSummary['failures'][number] | undefined>>();
  const position: number | undefined = failure?.position;

  // @ts-expect-error an item is a list
  slots.load(['a', 'b']);
  // @ts-expect-error a command has a name
  slots.load([[1, 2, 3]], { commands: true });
  // @ts-expect-error no such policy
  slots.load([], { onError: 'retry' });
  return position;
}

export function aborted(error: unknown) {
  if (!(error instanceof LoadError)) throw error;
  holds<Same<typeof error.code, 'ABORTED' | 'FAILED'>>();
  return error.summary.written;
}

export async function scans(cluster: Cluster) {
  const slots = redslot(cluster);
  for await (const key of slots.scan({ match: '{a}*', parallel: 3 })) {
    holds<Same<typeof key, string>>();
  }
  for await (const key of slots.scan({ buffer: true })) holds<Same<typeof key, Buffer>>();
  // @ts-expect-error a cursor is none of the caller's business
  slots.scan({ cursor: '0' });
}

export async function explains(cluster: Cluster) {
  const [one] = await redslot(cluster).explain([['get', 'a']]);
  holds<Same<typeof one, PipelineExplanation | undefined>>();
  return one?.refused?.reason;
}
