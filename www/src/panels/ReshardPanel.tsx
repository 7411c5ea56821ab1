import '../styles/reshard.css';
import { Swatch } from '../parts/Owner';
import { TextLine } from '../parts/TextArea';
import { fields, RESHARD_STAGES } from '../state/fields';
import { batch } from '../state/keys';
import { moves, movingKeys, movingSlots, reshardRange, reshardTarget } from '../state/reshard';
import { nameOf, topology } from '../state/topology';
import { count, percent, text } from '../text/language';
import { Outcomes } from './Outcomes';

/** A range of slots on its way to another primary. */
export function ReshardPanel() {
  const words = text.value.reshard;
  if (topology.value.map === null) return <p>{words.needs}</p>;
  const wrong = reshardRange.value === null;
  return (
    <>
      <div class="three">
        <TextLine
          id="reshard-from"
          label={words.from}
          value={fields.reshardFrom}
          inputMode="numeric"
          invalid={wrong}
        />
        <TextLine
          id="reshard-to"
          label={words.to}
          value={fields.reshardTo}
          inputMode="numeric"
          invalid={wrong}
        />
        <Target />
      </div>
      <p class="faint">{words.drag}</p>
      {wrong ? <p class="bad">{words.invalid}</p> : <Moves />}
      <Stage />
      <Outcomes />
    </>
  );
}

function Target() {
  const primaries = topology.value.map?.primaries ?? [];
  const target = reshardTarget.value;
  return (
    <div class="field">
      <label for="reshard-target">{text.value.reshard.target}</label>
      <select
        id="reshard-target"
        value={target ? nameOf(target) : ''}
        onChange={(event) => {
          fields.reshardTarget.value = event.currentTarget.value;
        }}
      >
        {primaries.map((primary) => (
          <option key={nameOf(primary)} value={nameOf(primary)}>
            {nameOf(primary)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Moves that are listed. */
const MOST = 12;

function Moves() {
  const words = text.value.reshard;
  const keys = batch.value.keys.length;
  const primaries = topology.value.map?.primaries ?? [];
  return (
    <section aria-label={words.moves_label}>
      <p class="summary" id="reshard-summary" aria-live="polite">
        <b>{words.moves(count(movingSlots.value), movingSlots.value)}</b>
        {keys > 0 && (
          <span>{words.keys(count(movingKeys.value), movingKeys.value, count(keys))}</span>
        )}
      </p>
      <ul class="moves">
        {moves.value.slice(0, MOST).map(({ start, end, from, to }) => (
          <li key={start}>
            <span class="number">{start === end ? start : `${start}-${end}`}</span>
            <span>
              {from ? <Swatch at={primaries.indexOf(from)} /> : null}
              {from ? nameOf(from) : text.value.map.gap}
            </span>
            <span aria-hidden="true">→</span>
            <span>{to ? nameOf(to) : text.value.map.gap}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Stage() {
  const words = text.value.reshard;
  return (
    <fieldset class="stages">
      <legend>{words.stage}</legend>
      <div class="segments">
        {RESHARD_STAGES.map((stage) => (
          <label key={stage}>
            <input
              type="radio"
              name="stage"
              value={stage}
              checked={fields.stage.value === stage}
              onChange={() => {
                fields.stage.value = stage;
              }}
            />
            <span>{words.stages[stage]}</span>
          </label>
        ))}
      </div>
      {fields.stage.value === 'migrating' && (
        <label class="slider">
          <span>{words.moved(percent(Number(fields.moved.value) / 100))}</span>
          <input
            id="moved"
            type="range"
            min="0"
            max="100"
            value={fields.moved.value}
            onInput={(event) => {
              fields.moved.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
    </fieldset>
  );
}
