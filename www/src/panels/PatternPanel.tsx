import { TextLine } from '../parts/TextArea';
import { Verdict } from '../parts/Verdict';
import { fields } from '../state/fields';
import { slotOfPattern } from '../state/marks';
import { text } from '../text/language';

/** A glob: the one slot that it can match, or the character that rules one out. */
export function PatternPanel() {
  const words = text.value.pattern;
  const slot = slotOfPattern.value;
  return (
    <>
      <TextLine id="pattern" label={words.label} value={fields.pattern} class="key-input" />
      <Pattern />
      <div class="stack" id="pattern-verdict" aria-live="polite">
        {slot === null ? <Many /> : <One slot={slot} />}
      </div>
    </>
  );
}

function One({ slot }: { slot: number }) {
  const words = text.value.pattern;
  return (
    <>
      <Verdict id="pattern-slot" slot={slot} />
      <p>{words.one(slot)}</p>
      <p class="faint">{words.scan}</p>
    </>
  );
}

function Many() {
  const words = text.value.pattern;
  const at = culprit();
  const char = at === null ? '' : (fields.pattern.value[at] ?? '');
  return (
    <>
      <p class="bad">{words.many}</p>
      {at !== null && <p id="pattern-culprit">{words.at(char, at + 1)}</p>}
      <p class="faint">{words.why}</p>
    </>
  );
}

/** The pattern with the character that rules a slot out marked. */
function Pattern() {
  const at = slotOfPattern.value === null ? culprit() : null;
  const pattern = fields.pattern.value;
  return (
    <p class="pattern mono">
      {at === null ? (
        pattern
      ) : (
        <>
          {pattern.slice(0, at)}
          <mark>{pattern[at]}</mark>
          {pattern.slice(at + 1)}
        </>
      )}
    </p>
  );
}

/** A pattern without a slot has none because of its first special character. */
function culprit(): number | null {
  const at = fields.pattern.value.search(/[*?[\\]/);
  return at < 0 ? null : at;
}
