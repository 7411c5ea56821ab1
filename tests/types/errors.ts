/** Compiled, never run: what an error tells, by its class and by its code. */
import { CrossSlotError, TopologyError } from 'redslot-wasm';
import {
  type Hop,
  type KeyFailure,
  PartialError,
  RedslotError,
  type RedslotErrorCode,
  type RedslotErrorDetails,
  type Reordered,
} from 'redslot-wasm/ioredis';
import { holds, type Same } from './same.ts';

export function byClass(error: unknown) {
  if (error instanceof PartialError) {
    holds<Same<typeof error.code, 'PARTIAL'>>();
    holds<Same<typeof error.failures, readonly KeyFailure[]>>();
    return error.failures.map(({ index, key, slot, executed }) => [index, key, slot, executed]);
  }
  if (error instanceof RedslotError) {
    holds<Same<typeof error.executed, 'no' | 'unknown'>>();
    holds<Same<typeof error.trail, readonly Hop[]>>();
    holds<Same<typeof error.slot, number | null>>();
    return error.trail.map(({ node, answer }) => `${node}: ${answer}`);
  }
  if (error instanceof CrossSlotError) return error.keys.map(({ slot }) => slot);
  if (error instanceof TopologyError) return [error.entry, error.line, error.reason];
  throw error;
}

/** Every code is named here; one that is missing would leave `code` something to be. */
export function byCode({ code }: RedslotError): string {
  switch (code) {
    case 'CROSS_SLOT':
    case 'PARTIAL':
    case 'UNOWNED':
    case 'UNSUPPORTED':
      return 'change the command';
    case 'NO_NODE':
    case 'UNREACHABLE':
    case 'REDIRECTS':
    case 'TOPOLOGY':
      return 'not executed';
    case 'NO_REPLY':
    case 'TIMEOUT':
    case 'ABORTED':
    case 'FAILED':
    case 'CLOSED':
      return 'look at executed';
    default:
      holds<Same<typeof code, never>>();
      return code;
  }
}

export function made() {
  const details: RedslotErrorDetails = { executed: 'unknown', slot: 5 };
  const error = new RedslotError('NO_REPLY', 'no reply', details);
  const failures = [{ index: 0, key: 'a', slot: 15495, error, executed: error.executed }];
  // @ts-expect-error a message is no code
  new RedslotError('no reply');
  return [error, new PartialError('1 of 2 keys', failures, true, ['1', null])];
}

export function compared({ code }: RedslotError) {
  holds<Same<typeof code, RedslotErrorCode>>();
  // @ts-expect-error no such code
  return code === 'CROSSSLOT';
}

export function reordered(replies: [Error | null, unknown][]) {
  return replies.filter((reply) => (reply as Reordered).reordered);
}
