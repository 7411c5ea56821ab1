/**
 * Compiled, never run: `redslot()` gives back the pipeline type of the very cluster it was handed,
 * with what an application added to it, for every client that is supported.
 */
import type { Cluster as Cluster6 } from 'ioredis';
import type { Cluster as Cluster5 } from 'ioredis-5';
import type { Cluster as Cluster50 } from 'ioredis-5.0';
import type { Cluster as Iovalkey } from 'iovalkey';
import { redslot } from 'redslot-wasm/ioredis';
import { holds, type Same } from './same.ts';

// What an application declares for the scripts of its `defineCommand`.
declare module 'ioredis' {
  interface RedisCommander<Context> {
    spend(key: string, amount: number): import('ioredis').Result<number, Context>;
  }
}
declare module 'ioredis-5' {
  interface RedisCommander<Context> {
    spend(key: string, amount: number): import('ioredis-5').Result<number, Context>;
  }
}
declare module 'ioredis-5.0' {
  interface RedisCommander<Context> {
    spend(key: string, amount: number): import('ioredis-5.0').Result<number, Context>;
  }
}
declare module 'iovalkey' {
  interface RedisCommander<Context> {
    spend(key: string, amount: number): import('iovalkey').Result<number, Context>;
  }
}

type Replies = Promise<[error: Error | null, result: unknown][] | null>;

export function ofIoredis6(cluster: Cluster6) {
  cluster.defineCommand('spend', { numberOfKeys: 1, lua: '' });
  const pipeline = redslot(cluster).pipeline();
  holds<Same<typeof pipeline, ReturnType<Cluster6['pipeline']>>>();
  pipeline.set('a', Buffer.of(1), 'EX', 10).getBuffer('a').spend('a', 1).get('a');
  pipeline.hgetall('a', (_, value) =>
    holds<Same<typeof value, Record<string, string> | undefined>>(),
  );
  // @ts-expect-error no such command
  pipeline.nosuchcommand('a');
  // @ts-expect-error an amount is a number
  pipeline.spend('a', 'all');
  // @ts-expect-error a key is no object
  pipeline.get({});
  const replies: Replies = pipeline.exec();
  return replies;
}

export function ofIoredis6WithMapsOfResp3(cluster: Cluster6<'resp3'>) {
  const pipeline = redslot(cluster).pipeline([['get', 'a']]);
  holds<Same<typeof pipeline, ReturnType<Cluster6<'resp3'>['pipeline']>>>();
  pipeline.zscore('a', 'm', (_, score) => holds<Same<typeof score, number | null | undefined>>());
  const replies: Replies = pipeline.spend('a', 1).exec();
  return replies;
}

export function ofIoredis6WithMapsOfResp2(cluster: Cluster6<'legacy'>) {
  const pipeline = redslot(cluster).pipeline();
  pipeline.zscore('a', 'm', (_, score) => holds<Same<typeof score, string | null | undefined>>());
  holds<Same<typeof pipeline, ReturnType<Cluster6['pipeline']>>>();
}

export function ofIoredis5(cluster: Cluster5) {
  const pipeline = redslot(cluster).pipeline([['get', 'a']]);
  holds<Same<typeof pipeline, ReturnType<Cluster5['pipeline']>>>();
  // @ts-expect-error an amount is a number
  pipeline.spend('a', 'all');
  const replies: Replies = pipeline.set('a', 1).spend('a', 1).mgetBuffer('a', 'b').exec();
  return replies;
}

export function ofIoredis50(cluster: Cluster50) {
  const pipeline = redslot(cluster).pipeline();
  holds<Same<typeof pipeline, ReturnType<Cluster50['pipeline']>>>();
  // @ts-expect-error an amount is a number
  pipeline.spend('a', 'all');
  return pipeline.set('a', 1).spend('a', 1).mgetBuffer('a', 'b').exec();
}

export function ofIovalkey(cluster: Iovalkey) {
  const pipeline = redslot(cluster).pipeline();
  holds<Same<typeof pipeline, ReturnType<Iovalkey['pipeline']>>>();
  // @ts-expect-error an amount is a number
  pipeline.spend('a', 'all');
  // @ts-expect-error no such command
  pipeline.nosuchcommand('a');
  const replies: Replies = pipeline.set('a', 1).spend('a', 1).mgetBuffer('a', 'b').exec();
  return replies;
}

export function added(six: Cluster6, valkey: Iovalkey) {
  const spent: Promise<number>[] = [six.spend('a', 1), valkey.spend('a', 1)];
  return spent;
}
