import { Owner } from '../parts/Owner';
import { VirtualList } from '../parts/VirtualList';
import { chosenLine } from '../state/choice';
import { isPointedAt, pointedSlot } from '../state/highlight';
import { batch } from '../state/keys';
import { count, text } from '../text/language';
import { LineDetail } from './LineDetail';

/** Every line with its slot and owner; the chosen one explained. */
export function Lines() {
  const words = text.value.keys;
  const { lines } = batch.value;
  const chosen = chosenLine.value;
  return (
    <section aria-labelledby="lines-title">
      <h2 id="lines-title">{words.rows}</h2>
      <div class="list-head line-row" aria-hidden="true">
        <span>{words.line}</span>
        <span />
        <span class="number">{text.value.slot}</span>
        <span>{text.value.owner.label}</span>
      </div>
      <VirtualList
        id="lines"
        rows={9}
        label={words.rows}
        count={lines.length}
        selected={chosen !== null && chosen < lines.length ? chosen : null}
        onSelect={(at) => {
          chosenLine.value = at;
        }}
        onPoint={(at) => {
          pointedSlot.value = at === null ? null : (slotsOf(at)[0] ?? null);
        }}
        row={(at) => <LineRow at={at} />}
      />
      {chosen !== null && chosen < lines.length && <LineDetail at={chosen} />}
    </section>
  );
}

/** The distinct slots of a line. */
export function slotsOf(at: number): number[] {
  const { slots, starts, counts } = batch.value;
  const start = starts[at] as number;
  return [...new Set(slots.subarray(start, start + (counts[at] as number)))];
}

function LineRow({ at }: { at: number }) {
  const words = text.value.keys;
  const line = batch.value.lines[at];
  const slots = slotsOf(at);
  const [slot] = slots;
  const lit = slots.some(isPointedAt);
  return (
    <div class={`line-row ${lit ? 'lit-row' : ''}`}>
      <span class="faint">{count(line?.number ?? 0)}</span>
      <span class="clip mono">{line?.text}</span>
      {slot === undefined && <span class="wide faint">{words.noKey}</span>}
      {slots.length > 1 && <span class="wide bad">{words.slots(slots.length)}</span>}
      {slots.length === 1 && slot !== undefined && (
        <>
          <span class="number">{slot}</span>
          <span class="clip">
            <Owner slot={slot} />
          </span>
        </>
      )}
    </div>
  );
}
