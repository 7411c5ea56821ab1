import { slotTag } from 'redslot-wasm';
import { Owner } from '../parts/Owner';
import { pointedSlot } from '../state/highlight';
import { keyCounts } from '../state/keys';
import { markedSlots } from '../state/marks';
import { count, text } from '../text/language';

/** What stands under the cursor of the map, or what the panel is about. */
export function Readout() {
  const slot = pointedSlot.value ?? (markedSlots.value.length === 1 ? markedSlots.value[0] : null);
  const words = text.value.map;
  return (
    <div class="readout" id="map-readout" aria-live="polite">
      {slot === null || slot === undefined ? (
        <span class="faint">{words.hint}</span>
      ) : (
        <>
          <span class="readout-slot">
            <span class="label">{text.value.slot}</span> <b>{slot}</b>
          </span>
          <Owner slot={slot} />
          <span>
            <span class="label">{words.tag}</span> <code>{`{${slotTag(slot)}}`}</code>
          </span>
          {keyCounts.value && (
            <span class="readout-keys">
              {words.keys(count(keyCounts.value[slot] ?? 0), keyCounts.value[slot] ?? 0)}
            </span>
          )}
        </>
      )}
    </div>
  );
}
