/**
 * Compiled, never run: `redslot()` gives back the pipeline type of the very
 * cluster it was handed, in every ioredis release that is supported.
 */
import type { Cluster as Cluster6 } from 'ioredis';
import type { Cluster as Cluster5 } from 'ioredis-5';
import type { Cluster as Cluster50 } from 'ioredis-5.0';
import { type Primary, SlotMap } from 'redslot-wasm';
import { redslot } from 'redslot-wasm/ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    redslotTypeTest(key: string): import('ioredis').Result<number, Context>;
  }
}

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

export function pipelines(
  six: Cluster6,
  resp3: Cluster6<'resp3'>,
  five: Cluster5,
  oldest: Cluster50,
) {
  const own = redslot(six).pipeline();
  holds<Same<typeof own, ReturnType<Cluster6['pipeline']>>>();
  const mapped = redslot(resp3).pipeline();
  holds<Same<typeof mapped, ReturnType<Cluster6<'resp3'>['pipeline']>>>();
  const v5 = redslot(five).pipeline([['get', 'a']]);
  holds<Same<typeof v5, ReturnType<Cluster5['pipeline']>>>();
  const v50 = redslot(oldest).pipeline();
  holds<Same<typeof v50, ReturnType<Cluster50['pipeline']>>>();

  own.set('a', Buffer.of(1), 'EX', 10).getBuffer('a').redslotTypeTest('a');
  // @ts-expect-error no such command
  own.nosuchcommand('a');
  const replies: Promise<[error: Error | null, result: unknown][] | null> = own.exec();
  return replies;
}

export async function maps(six: Cluster6) {
  const map: SlotMap = SlotMap.fromSlots(await six.cluster('SLOTS'));
  const owner: Primary | null = map.nodeFor('foo');
  const positions: Uint32Array = map.partition(['a', Buffer.of(1)]).unowned;
  // @ts-expect-error a number is no key
  map.nodeFor(1);
  return [owner, positions, await redslot(six).slotMap()];
}

export function refused(six: Cluster6) {
  // @ts-expect-error a single node is no cluster
  redslot({ get: six.get });
  // @ts-expect-error no such option
  redslot(six, { retries: 3 });
}
