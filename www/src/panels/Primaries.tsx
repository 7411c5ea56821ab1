import type { Primary, SlotRange } from 'redslot-wasm';
import { Swatch } from '../parts/Owner';
import { VirtualList } from '../parts/VirtualList';
import { pointedPrimary, pointedSlot } from '../state/highlight';
import { markedSlots } from '../state/marks';
import { nameOf, owners, slotsOf, topology } from '../state/topology';
import { count, text } from '../text/language';

/** All primaries with their ranges and replicas, and what nobody or more than one serves. */
export function Primaries() {
  const words = text.value.primaries;
  const { map } = topology.value;
  return (
    <section class="primaries" aria-labelledby="primaries-title">
      <header>
        <h2 id="primaries-title">{words.title}</h2>
        {map && <Coverage />}
      </header>
      {map === null ? <p class="faint">{words.none}</p> : <Table primaries={map.primaries} />}
    </section>
  );
}

function Coverage() {
  const words = text.value.primaries;
  const { map } = topology.value;
  const gaps = sum((map?.gaps ?? []).map(([start, end]) => end - start + 1));
  const conflicts = sum((map?.conflicts ?? []).map(({ start, end }) => end - start + 1));
  return (
    <p class="coverage">
      {words.summary(count(map?.primaries.length ?? 0), map?.primaries.length ?? 0)}
      {gaps > 0 && (
        <span class="bad">
          <i class="pattern-gap" />
          {words.gaps(count(gaps), gaps)}
        </span>
      )}
      {conflicts > 0 && (
        <span class="bad">
          <i class="pattern-conflict" />
          {words.conflicts(count(conflicts), conflicts)}
        </span>
      )}
      {gaps + conflicts === 0 && <span>{words.covered}</span>}
    </p>
  );
}

function Table({ primaries }: { primaries: readonly Primary[] }) {
  const words = text.value.primaries;
  const slot = pointedSlot.value ?? markedSlots.value[0];
  const owner = slot === undefined ? -1 : (owners.value[slot] as number);
  return (
    <>
      <div class="list-head primary-row" aria-hidden="true">
        <span>{words.name}</span>
        <span class="number">{words.slots}</span>
        <span>{words.ranges}</span>
        <span class="number">{words.replicas}</span>
      </div>
      <VirtualList
        id="primaries"
        rows={7}
        label={words.title}
        count={primaries.length}
        selected={pointedPrimary.value ?? (owner >= 0 ? owner : null)}
        onSelect={(at) => {
          pointedPrimary.value = at;
        }}
        onPoint={(at) => {
          pointedPrimary.value = at;
        }}
        row={(at) => <Row primary={primaries[at] as Primary} at={at} />}
      />
    </>
  );
}

function Row({ primary, at }: { primary: Primary; at: number }) {
  return (
    <div class="primary-row">
      <span class="clip" title={primary.id ?? undefined}>
        <Swatch at={at} />
        {nameOf(primary)}
      </span>
      <span class="number">{count(slotsOf(primary))}</span>
      <span class="clip" title={primary.ranges.map(shown).join(', ')}>
        {primary.ranges.slice(0, 24).map(shown).join(', ')}
      </span>
      <span class="number" title={primary.replicas.map((replica) => replica.endpoint).join(', ')}>
        {primary.replicas.length}
      </span>
    </div>
  );
}

function shown([start, end]: SlotRange): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
