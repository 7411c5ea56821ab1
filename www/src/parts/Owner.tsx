import { colourOf } from '../map/colours';
import { pointedPrimary } from '../state/highlight';
import { isDark } from '../state/settings';
import { CONTESTED, nameOf, owners, topology } from '../state/topology';
import { text } from '../text/language';

/** The primary that serves a slot, in its colour, or why there is none. */
export function Owner({ slot }: { slot: number }) {
  const { map } = topology.value;
  if (map === null) return <span class="owner faint">{text.value.owner.unknown}</span>;
  const owner = owners.value[slot] as number;
  if (owner === CONTESTED) return <span class="owner bad">{text.value.owner.contested}</span>;
  return owner < 0 ? (
    <span class="owner bad">{text.value.owner.none}</span>
  ) : (
    <PrimaryName at={owner} />
  );
}

/** A primary by its index. */
export function PrimaryName({ at }: { at: number }) {
  const primary = topology.value.map?.primaries[at];
  if (!primary) return null;
  return (
    <span
      class="owner"
      onPointerEnter={() => {
        pointedPrimary.value = at;
      }}
      onPointerLeave={() => {
        pointedPrimary.value = null;
      }}
    >
      <Swatch at={at} />
      {nameOf(primary)}
    </span>
  );
}

export function Swatch({ at }: { at: number }) {
  return (
    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect width="10" height="10" fill={colourOf(at, isDark.value)} />
    </svg>
  );
}
