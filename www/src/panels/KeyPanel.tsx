import { cliQuoted, shownKey } from '../bytes';
import { TextLine } from '../parts/TextArea';
import { Verdict } from '../parts/Verdict';
import { fields } from '../state/fields';
import { key, keyBytes, keyExplanation } from '../state/key';
import { type Suspicion, suspicionOf } from '../suspicion';
import { text } from '../text/language';
import { reasonIn } from '../text/reason';
import { ByteCells } from './ByteCells';

/** One key: its slot, the bytes that are hashed, and why. */
export function KeyPanel() {
  const words = text.value.key;
  return (
    <>
      <TextLine id="key" label={words.label} value={fields.key} class="key-input" />
      <label class="check">
        <input
          type="checkbox"
          checked={fields.escapes.value}
          onChange={(event) => {
            fields.escapes.value = event.currentTarget.checked;
          }}
        />
        {words.escapes}
      </label>
      <div aria-live="polite">
        <Verdict id="key-slot" slot={keyExplanation.value.slot} />
      </div>
      <ByteCells />
      <p class="reason" id="key-reason">
        {reasonIn(text.value, keyExplanation.value, keyBytes.value.length)}
      </p>
      <Notes />
      <section aria-labelledby="check-title">
        <h2 id="check-title">{words.check}</h2>
        <pre class="code" id="key-check">
          {`CLUSTER KEYSLOT ${cliQuoted(key.value)}`}
        </pre>
      </section>
    </>
  );
}

/** What is worth knowing about this key beyond the rule. */
function Notes() {
  const words = text.value.key;
  const suspicion = suspicionHere();
  const shown = shownKey(key.value);
  return (
    <ul class="notes" id="key-notes">
      {suspicion && <li class="warn">{words.suspicion[suspicion]}</li>}
      {keyBytes.value.length === 0 && <li>{words.empty}</li>}
      {/^\s|\s$/.test(typeof key.value === 'string' ? key.value : shown) && <li>{words.edges}</li>}
    </ul>
  );
}

function suspicionHere(): Suspicion | null {
  const { tag, hashed } = keyExplanation.value;
  return tag === null ? null : suspicionOf(hashed);
}
