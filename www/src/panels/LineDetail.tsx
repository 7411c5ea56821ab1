import type { CommandExplanation, Key } from 'redslot-wasm';
import { shownKey } from '../bytes';
import { cureFor } from '../cure';
import { Owner } from '../parts/Owner';
import { pointedSlot } from '../state/highlight';
import { batch } from '../state/keys';
import { topology } from '../state/topology';
import { count, text } from '../text/language';

/** Keys of one line that are shown. */
const MOST = 12;

/** One line: its keys, whether it answers, and what would help if not. */
export function LineDetail({ at }: { at: number }) {
  const words = text.value.keys;
  const line = batch.value.lines[at];
  const explained = explain(at);
  if (!line) return null;
  return (
    <div class="detail" id="line-detail" aria-live="polite">
      <h3>{words.chosen(count(line.number))}</h3>
      <table>
        <tbody>
          {keysOf(at)
            .slice(0, MOST)
            .map(({ key, slot }, index) => (
              <KeyRow key={`${index}-${slot}`} name={key} slot={slot} />
            ))}
        </tbody>
      </table>
      <Verdict name={line.command?.[0] ?? 'GET'} at={at} explained={explained} />
    </div>
  );
}

function KeyRow({ name, slot }: { name: Key; slot: number }) {
  return (
    <tr
      onPointerEnter={() => {
        pointedSlot.value = slot;
      }}
      onPointerLeave={() => {
        pointedSlot.value = null;
      }}
    >
      <td class="mono clip">{shownKey(name as string | Uint8Array)}</td>
      <td class="number">{slot}</td>
      <td>
        <Owner slot={slot} />
      </td>
    </tr>
  );
}

interface VerdictProps {
  readonly name: string;
  readonly at: number;
  readonly explained: CommandExplanation | null;
}

function Verdict({ name, at, explained }: VerdictProps) {
  const words = text.value.keys;
  const keys = keysOf(at);
  const slots = new Set(keys.map(({ slot }) => slot));
  if (keys.length === 0) return <p>{words.toPrimary}</p>;
  if (slots.size === 1) {
    const { refused } = explained ?? { refused: null };
    return refused ? (
      <p class="bad" lang="en">
        {refused.reason}.
      </p>
    ) : (
      <p>{words.oneNode}</p>
    );
  }
  const cure = cureFor(keys.map(({ key }) => key));
  const pieces = explained?.pieces.length ?? 0;
  return (
    <>
      <p class="bad">{words.crossing(name.toUpperCase())}</p>
      {explained?.refused?.code === 'CROSS_SLOT' && <p lang="en">{explained.refused.reason}.</p>}
      {sameOwner(keys) && <p>{words.sameNode}</p>}
      {pieces > 0 && <p>{words.pieces(pieces)}</p>}
      {cure && (
        <p>
          {words.cure} <code class="cure">{cure.keys.slice(0, MOST).map(shownKey).join('  ')}</code>
        </p>
      )}
    </>
  );
}

function keysOf(at: number): { key: Key; slot: number }[] {
  const { keys, slots, starts, counts } = batch.value;
  const start = starts[at] as number;
  return keys
    .slice(start, start + (counts[at] as number))
    .map((key, index) => ({ key, slot: slots[start + index] as number }));
}

/** The dry run of the package. */
function explain(at: number): CommandExplanation | null {
  const { map } = topology.value;
  const line = batch.value.lines[at];
  if (!map || !line) return null;
  const [explained] = map.explain([line.command ?? ['GET']], { keysOf: () => line.keys });
  return explained ?? null;
}

function sameOwner(keys: readonly { slot: number }[]): boolean {
  const { map } = topology.value;
  const first = map?.ownerOf(keys[0]?.slot ?? 0);
  return (
    first !== null && first !== undefined && keys.every(({ slot }) => map?.ownerOf(slot) === first)
  );
}
