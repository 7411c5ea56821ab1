import { Owner } from '../parts/Owner';
import { pointedSlot } from '../state/highlight';
import { batch, collisions } from '../state/keys';
import { pickSlot } from '../state/pick';
import { count, percent, text } from '../text/language';

/** Slots that are listed. */
const MOST = 8;
/** From this share of all keys on, one slot is said to be hot. */
const HOT = 0.1;
/** Fewer keys than these say nothing about their spread. */
const ENOUGH = 50;

/** Slots that hold more than one of the keys. */
export function Collisions() {
  const words = text.value.keys;
  const fullest = collisions.value.slice(0, MOST);
  const total = batch.value.keys.length;
  const [first] = fullest;
  const hot = first !== undefined && total >= ENOUGH && first.keys / total >= HOT;
  return (
    <section aria-labelledby="collisions-title">
      <h2 id="collisions-title">{words.collisions}</h2>
      {hot && <p class="warn">{words.hot(percent(first.keys / total), first.slot)}</p>}
      {first === undefined ? (
        <p class="faint">{words.noCollisions}</p>
      ) : (
        <ul class="collisions" id="collisions">
          {fullest.map(({ slot, keys }) => (
            <li key={slot}>
              <button
                type="button"
                onClick={() => pickSlot(slot)}
                onPointerEnter={() => {
                  pointedSlot.value = slot;
                }}
                onPointerLeave={() => {
                  pointedSlot.value = null;
                }}
              >
                <span class="number">{slot}</span>
                <span class="number">{text.value.map.keys(count(keys), keys)}</span>
                <Owner slot={slot} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
