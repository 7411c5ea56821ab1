import { slotTag } from 'redslot-wasm';
import { Owner } from '../parts/Owner';
import { TextLine } from '../parts/TextArea';
import { Verdict } from '../parts/Verdict';
import { fields } from '../state/fields';
import { pointedSlot } from '../state/highlight';
import { tagSlot } from '../state/marks';
import { text } from '../text/language';

const AROUND = [-3, -2, -1, 0, 1, 2, 3];

/** From a slot to a tag that lands on it. */
export function TagPanel() {
  const words = text.value.tag;
  const slot = tagSlot.value;
  return (
    <>
      <TextLine
        id="tag-slot"
        label={words.label}
        value={fields.tagSlot}
        class="key-input"
        inputMode="numeric"
        invalid={slot === null}
      />
      <div class="stack" id="tag-verdict" aria-live="polite">
        {slot === null ? <p class="bad">{words.invalid}</p> : <Tag slot={slot} />}
      </div>
    </>
  );
}

function Tag({ slot }: { slot: number }) {
  const words = text.value.tag;
  const tag = slotTag(slot);
  return (
    <>
      <Verdict id="tag" slot={slot} label={words.result} answer={`{${tag}}`} />
      <section>
        <h2>{words.use}</h2>
        <pre class="code">{`{${tag}}:user\n{${tag}}:cart\nlock:{${tag}}`}</pre>
      </section>
      <section>
        <h2>{words.neighbours}</h2>
        <Neighbours slot={slot} />
      </section>
    </>
  );
}

function Neighbours({ slot }: { slot: number }) {
  const near = AROUND.map((step) => slot + step).filter((one) => one >= 0 && one < 16384);
  return (
    <ul class="collisions">
      {near.map((one) => (
        <li key={one}>
          <button
            type="button"
            aria-current={one === slot ? 'true' : undefined}
            onClick={() => {
              fields.tagSlot.value = String(one);
            }}
            onPointerEnter={() => {
              pointedSlot.value = one;
            }}
            onPointerLeave={() => {
              pointedSlot.value = null;
            }}
          >
            <span class="number">{one}</span>
            <code>{`{${slotTag(one)}}`}</code>
            <Owner slot={one} />
          </button>
        </li>
      ))}
    </ul>
  );
}
