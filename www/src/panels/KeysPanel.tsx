import { SAMPLE } from '../examples';
import { TextArea } from '../parts/TextArea';
import { fields, KEY_MODES, type KeyMode } from '../state/fields';
import { batch, keyCounts, progress, routing, shares } from '../state/keys';
import { count, text } from '../text/language';
import { CodeSample } from './CodeSample';
import { Collisions } from './Collisions';
import { Lines } from './Lines';
import { Shares } from './Shares';

/** Many keys or commands: where each goes, and how they spread. */
export function KeysPanel() {
  return (
    <>
      <Input />
      <Summary />
      {batch.value.lines.length > 0 && (
        <>
          <Lines />
          <Shares />
          <Collisions />
          <CodeSample />
        </>
      )}
    </>
  );
}

function Input() {
  const words = text.value.keys;
  const fill = (lines: string) => () => {
    fields.keys.value = lines;
  };
  return (
    <div class="field">
      <div class="field-head">
        <label for="keys">{words.label}</label>
        <span class="buttons">
          <button type="button" class="plain" onClick={fill(SAMPLE)}>
            {words.sample}
          </button>
          <button type="button" class="plain" onClick={fill('')}>
            {words.clear}
          </button>
        </span>
      </div>
      <TextArea
        id="keys"
        label={words.label}
        value={fields.keys.value}
        onText={(lines) => fill(lines)()}
        rows={7}
        describedBy="keys-help"
      />
      <div class="beside">
        <p class="faint" id="keys-help">
          {words.help}
        </p>
        <Mode />
      </div>
    </div>
  );
}

function Mode() {
  const words = text.value.keys;
  return (
    <select
      id="key-mode"
      aria-label={words.mode}
      value={fields.keyMode.value}
      onChange={(event) => {
        fields.keyMode.value = event.currentTarget.value as KeyMode;
      }}
    >
      {KEY_MODES.map((mode) => (
        <option key={mode} value={mode}>
          {words.modes[mode]}
        </option>
      ))}
    </select>
  );
}

function Summary() {
  const words = text.value.keys;
  const { keys, ms } = batch.value;
  const used = keyCounts.value?.reduce((slots, here) => slots + (here > 0 ? 1 : 0), 0) ?? 0;
  const unowned = shares.value?.unowned ?? 0;
  const { crossSlot, keyless } = routing.value ?? { crossSlot: [], keyless: [] };
  return (
    <p class="summary" id="keys-summary" aria-live="polite">
      {progress.value && (
        <span>{words.working(count(progress.value.done), count(progress.value.all))}</span>
      )}
      {keys.length > 0 && (
        <>
          <b>{words.summary(count(keys.length), keys.length, count(used), used)}</b>
          {unowned > 0 && <span class="bad">{words.unowned(count(unowned), unowned)}</span>}
          {crossSlot.length > 0 && (
            <span class="bad">{words.crossSlot(count(crossSlot.length), crossSlot.length)}</span>
          )}
          {keyless.length > 0 && (
            <span>{words.keyless(count(keyless.length), keyless.length)}</span>
          )}
          <span class="faint">{words.took(count(Math.max(1, Math.round(ms))))}</span>
        </>
      )}
    </p>
  );
}
