import { SAMPLE } from '../examples';
import { VirtualList } from '../parts/VirtualList';
import { chosenLine } from '../state/choice';
import { fields } from '../state/fields';
import { pointedSlot } from '../state/highlight';
import { batch } from '../state/keys';
import { OUTCOMES, outcomeCounts, outcomes } from '../state/outcomes';
import { count, text } from '../text/language';

/** What each pasted line is answered at this stage. */
export function Outcomes() {
  const words = text.value.reshard;
  const { lines, slots, starts, counts } = batch.value;
  return (
    <section aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">{words.outcomes}</h2>
      {lines.length === 0 ? (
        <p class="faint">
          {words.nothing}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              fields.keys.value = SAMPLE;
            }}
          >
            {text.value.keys.sample}
          </button>
        </p>
      ) : (
        <>
          <p class="faint">{words.client}</p>
          <Totals />
          <VirtualList
            id="outcomes"
            rows={9}
            label={words.outcomes}
            count={lines.length}
            selected={chosenLine.value}
            onSelect={(at) => {
              chosenLine.value = at;
            }}
            onPoint={(at) => {
              const has = at !== null && (counts[at] as number) > 0;
              pointedSlot.value = has ? (slots[starts[at] as number] as number) : null;
            }}
            row={(at) => <OutcomeRow at={at} />}
          />
        </>
      )}
    </section>
  );
}

function Totals() {
  const words = text.value.reshard;
  const present = OUTCOMES.filter((outcome) => outcomeCounts.value.has(outcome));
  return (
    <dl class="totals" id="outcome-totals" aria-live="polite">
      {present.map((outcome) => (
        <div key={outcome}>
          <dt class={`outcome ${outcome}`}>{words.outcome[outcome]}</dt>
          <dd class="number">{count(outcomeCounts.value.get(outcome) ?? 0)}</dd>
          <dd class="faint">{words.outcomeHelp[outcome]}</dd>
        </div>
      ))}
    </dl>
  );
}

function OutcomeRow({ at }: { at: number }) {
  const line = batch.value.lines[at];
  const outcome = outcomes.value[at] ?? 'ok';
  return (
    <div class="outcome-row">
      <span class="faint">{count(line?.number ?? 0)}</span>
      <span class="clip mono">{line?.text}</span>
      <span class={`outcome ${outcome}`}>{text.value.reshard.outcome[outcome]}</span>
    </div>
  );
}
