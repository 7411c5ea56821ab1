import { EXAMPLES } from '../examples';
import { TextArea } from '../parts/TextArea';
import { fields } from '../state/fields';
import { topology, topologyText } from '../state/topology';
import { count, text } from '../text/language';

/** The cluster's topology, pasted or from an example. */
export function TopologyPanel() {
  const words = text.value.topology;
  return (
    <>
      <div class="field">
        <label for="example">{words.example}</label>
        <select
          id="example"
          value={fields.example.value}
          onChange={(event) => {
            fields.example.value = event.currentTarget.value;
          }}
        >
          <option value="">{words.own}</option>
          {EXAMPLES.map((name) => (
            <option key={name} value={name}>
              {words.examples[name]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <div class="field-head">
          <label for="topology">{words.label}</label>
          <button type="button" class="plain" onClick={() => paste('')}>
            {words.clear}
          </button>
        </div>
        <TextArea
          id="topology"
          label={words.label}
          value={topologyText.value}
          onText={paste}
          rows={14}
          describedBy="topology-help topology-verdict"
          invalid={topology.value.fault !== null}
        />
        <p class="faint" id="topology-help">
          {words.help}
        </p>
      </div>
      <Verdict />
    </>
  );
}

function paste(pasted: string): void {
  fields.example.value = '';
  fields.topology.value = pasted;
}

/** The line of the paste, from 1. */
function lineOf(line: number): string {
  return topologyText.value.split('\n')[line - 1]?.trim() ?? '';
}

/** Whether the text was understood, and what is wrong with it or with the topology. */
function Verdict() {
  const words = text.value.topology;
  const { map, fault } = topology.value;
  return (
    <div id="topology-verdict" aria-live="polite">
      {fault && (
        <p class="fault">
          <b>
            {words.fault}
            {fault.line !== null && `, ${words.line(fault.line)}`}
            {fault.entry !== null && `, ${words.entry(fault.entry)}`}
          </b>
          <span lang="en">{fault.reason}</span>
          {fault.line !== null && <code class="clip">{lineOf(fault.line)}</code>}
        </p>
      )}
      {map && (
        <p class="faint">
          {words.ok}:{' '}
          {text.value.primaries.summary(count(map.primaries.length), map.primaries.length)}
        </p>
      )}
    </div>
  );
}
