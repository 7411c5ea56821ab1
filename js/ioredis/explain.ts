import type { CommandExplanation } from '../index.js';
import type { WireCommand } from './client.js';
import type { Context } from './context.js';
import type { RedslotErrorCode } from './error.js';
import { recorder } from './recorder.js';
import { crossSlotReason } from './refusal.js';
import { unsupportedReason } from './unsupported.js';

/** What `pipeline().exec()` would do with one command. */
export interface PipelineExplanation extends Omit<CommandExplanation, 'refused'> {
  /** The code and reason of the `RedslotError` at its position, or null when it is sent. */
  readonly refused: { readonly code: RedslotErrorCode; readonly reason: string } | null;
}

/** The dry run of a batch: ioredis records the commands, the slot map explains them. */
export async function explain(
  { client, keys, settings, topology }: Context,
  commands: readonly unknown[][],
): Promise<PipelineExplanation[]> {
  const recorded = recorder(client, keys, () => Promise.resolve([]), commands)._queue;
  const map = await topology.current(settings.topologyTimeout);
  const keysOf = (_name: string, _args: unknown, at: number) =>
    keys.of(recorded[at] as WireCommand);
  const explained = map.explain(
    recorded.map(({ name, args }) => [name, ...args] as const),
    { keysOf },
  );
  return explained.map((one, at) => {
    return asSent(one, recorded[at] as WireCommand, settings.splitMultiKey);
  });
}

/** A pipeline refuses some commands that have an owner, or could be sent in pieces. */
function asSent(
  explained: CommandExplanation,
  command: WireCommand,
  splits: boolean,
): PipelineExplanation {
  const reason = unsupportedReason(command);
  if (reason) return { ...explained, node: null, refused: { code: 'UNSUPPORTED', reason } };
  if (splits || explained.pieces.length === 0) return explained;
  const keys = explained.keys.map(({ key }) => key as string | Uint8Array);
  return { ...explained, refused: { code: 'CROSS_SLOT', reason: crossSlotReason(keys) } };
}
