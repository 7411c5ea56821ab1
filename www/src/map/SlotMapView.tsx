import { signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { pointedPrimary, pointedSlot } from '../state/highlight';
import { keyCounts } from '../state/keys';
import { markedRange, markedSlots } from '../state/marks';
import { pickRange, pickSlot, takesRange } from '../state/pick';
import { shownOwners } from '../state/reshard';
import { isDark, narrow } from '../state/settings';
import { topology } from '../state/topology';
import { text } from '../text/language';
import { SIDE, slotAfter, slotAt } from './grid';
import { paintMap, paintOwners } from './paint';
import { Readout } from './Readout';

/** Rows of the map that are named beside it. */
const NAMED_ROWS = Array.from({ length: 8 }, (_, at) => at * 16);

/** Whether the map takes the whole width of a narrow page, instead of staying small in view. */
const large = signal(false);

/** The 16384 slots as a square, with all that the page points at. */
export function SlotMapView() {
  const words = text.value.map;
  return (
    <section class={`map ${large.value ? 'large' : ''}`} aria-label={words.title}>
      <div class="map-frame">
        <ol class="map-axis" aria-hidden="true">
          {NAMED_ROWS.map((row) => (
            <li key={row}>{row * SIDE}</li>
          ))}
        </ol>
        <MapCanvas />
      </div>
      <Readout />
      {narrow.value && (
        <button
          type="button"
          class="plain map-size"
          onClick={() => {
            large.value = !large.value;
          }}
        >
          {large.value ? words.smaller : words.larger}
        </button>
      )}
    </section>
  );
}

function MapCanvas() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixels = useSignal(0);
  usePixels(canvas, pixels);
  const base = useComputed(() =>
    paintOwners(shownOwners.value, isDark.value, topology.value.map !== null),
  );
  useSignalEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || pixels.value === 0) return;
    context.canvas.width = pixels.value;
    context.canvas.height = pixels.value;
    paintMap(context, base.value, shownOwners.value, {
      dark: isDark.value,
      primary: pointedPrimary.value,
      counts: keyCounts.value,
      range: markedRange.value,
      slots: markedSlots.value,
      cursor: pointedSlot.value,
    });
  });
  return (
    <div
      class={`map-canvas ${takesRange() ? 'drags' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map takes the arrow keys itself
      tabIndex={0}
      role="application"
      aria-roledescription={text.value.map.role}
      aria-label={text.value.map.label}
      aria-describedby="map-readout"
      {...usePointing()}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} />
    </div>
  );
}

/** Keeps the size of the canvas in device pixels, a whole number of them per slot. */
function usePixels(canvas: { current: HTMLCanvasElement | null }, pixels: { value: number }): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = (entry?.contentRect.width ?? 0) * devicePixelRatio;
      pixels.value = Math.max(1, Math.round(width / SIDE)) * SIDE;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, pixels]);
}

/** Pointing at slots, picking one, and dragging a range where the panel wants one. */
function usePointing() {
  const from = useRef<number | null>(null);
  const at = (event: MouseEvent) =>
    slotAt(event.currentTarget as Element, event.clientX, event.clientY);
  const leave = () => {
    from.current = null;
    pointedSlot.value = null;
  };
  return {
    onPointerMove(event: PointerEvent) {
      const slot = at(event);
      pointedSlot.value = slot;
      if (from.current !== null && slot !== null) pickRange(from.current, slot);
    },
    onPointerLeave({ pointerType }: PointerEvent) {
      // A finger leaves by being lifted, and what it has touched is to be read then.
      if (pointerType === 'mouse') pointedSlot.value = null;
    },
    onBlur: leave,
    // The finger scrolls the page.
    onPointerCancel: leave,
    onPointerDown(event: PointerEvent) {
      const slot = at(event);
      pointedSlot.value = slot;
      from.current = takesRange() ? slot : null;
    },
    onPointerUp() {
      from.current = null;
    },
    onClick(event: MouseEvent) {
      const slot = at(event);
      if (slot !== null) pickSlot(slot);
    },
  };
}

function onKeyDown(event: KeyboardEvent): void {
  const from = pointedSlot.value ?? markedSlots.value[0] ?? 0;
  if (event.key === 'Escape') pointedSlot.value = null;
  else if (event.key === 'Enter' && pointedSlot.value !== null) pickSlot(pointedSlot.value);
  else {
    const next = slotAfter(event.key, from);
    if (next === null) return;
    event.preventDefault();
    if (event.shiftKey && takesRange()) extendRange(from, next);
    // The first stroke shows where the cursor is.
    pointedSlot.value = pointedSlot.value === null ? from : next;
  }
}

/** Grows or shrinks the range by its end, as Shift with an arrow key does in a text. */
function extendRange(from: number, next: number): void {
  const [start, end] = markedRange.value ?? [from, from];
  pickRange(from === start && from !== end ? end : start, next);
}
