import { computed, signal } from '@preact/signals';
import { type Primary, SlotMap, TopologyError } from 'redslot-wasm';
import { exampleText, isExample } from '../examples';
import { fields } from './fields';

export interface Topology {
  readonly map: SlotMap | null;
  /** What was not understood, with its line where there is one. */
  readonly fault: Fault | null;
}

interface Fault {
  readonly reason: string;
  readonly line: number | null;
  readonly entry: number | null;
}

/** The topology's text as the user sees it. */
export const topologyText = computed(() => {
  const example = fields.example.value;
  return isExample(example) ? exampleText(example) : fields.topology.value;
});

/** Stands in for hosts that the reply leaves out. */
export const fallbackHost = signal('127.0.0.1');

export const topology = computed<Topology>(() => {
  const text = topologyText.value;
  if (text.trim() === '') return { map: null, fault: null };
  try {
    return { map: SlotMap.parse(text, { fallbackHost: fallbackHost.value }), fault: null };
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error;
    return { map: null, fault: error };
  }
});

export const NOBODY = -1;
export const CONTESTED = -2;

/** For each slot the index of its primary, or that it has none. */
export const owners = computed(() => {
  const { map } = topology.value;
  const table = new Int16Array(16384).fill(NOBODY);
  for (const [at, { ranges }] of (map?.primaries ?? []).entries()) {
    for (const [start, end] of ranges) table.fill(at, start, end + 1);
  }
  for (const { start, end } of map?.conflicts ?? []) table.fill(CONTESTED, start, end + 1);
  return table;
});

/** What a primary is called on the page. */
export function nameOf({ endpoint, id, port }: Primary): string {
  return endpoint ?? `${id?.slice(0, 8) ?? ''}:${port}`;
}

export function slotsOf({ ranges }: Primary): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start + 1, 0);
}
