import { colourOf } from '../map/colours';
import { Swatch } from '../parts/Owner';
import { VirtualList } from '../parts/VirtualList';
import { pointedPrimary } from '../state/highlight';
import { batch, shares } from '../state/keys';
import { isDark } from '../state/settings';
import { nameOf, topology } from '../state/topology';
import { count, factor, percent, text } from '../text/language';

/** How the keys spread over the primaries. */
export function Shares() {
  const words = text.value.keys;
  const { map } = topology.value;
  const spread = shares.value;
  if (map === null || spread === null) return null;
  return (
    <section aria-labelledby="shares-title">
      <h2 id="shares-title">{words.shares}</h2>
      <div class="list-head share-row" aria-hidden="true">
        <span>{text.value.owner.label}</span>
        <span />
        <span class="number">{words.count}</span>
        <span class="number">{words.share}</span>
        <span class="number">{words.skew}</span>
      </div>
      <VirtualList
        id="shares"
        rows={6}
        label={words.shares}
        count={map.primaries.length}
        selected={pointedPrimary.value}
        onSelect={(at) => {
          pointedPrimary.value = at;
        }}
        onPoint={(at) => {
          pointedPrimary.value = at;
        }}
        row={(at) => <ShareRow at={at} />}
      />
      <p class="faint">{words.skewHelp}</p>
    </section>
  );
}

function ShareRow({ at }: { at: number }) {
  const primary = topology.value.map?.primaries[at];
  const { primaries } = shares.value ?? { primaries: [] };
  const keys = primaries[at] ?? 0;
  const share = keys / batch.value.keys.length;
  const most = Math.max(...primaries, 1);
  return (
    <div class="share-row">
      <span class="clip">
        <Swatch at={at} />
        {primary && nameOf(primary)}
      </span>
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(100 * keys) / most} height="8" fill={colourOf(at, isDark.value)} />
      </svg>
      <span class="number">{count(keys)}</span>
      <span class="number">{percent(share)}</span>
      <span class="number">{factor(share * primaries.length)}</span>
    </div>
  );
}
