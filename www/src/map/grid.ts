/** The map is a square of this many slots a side, row after row. */
export const SIDE = 128;
export const SLOTS = SIDE * SIDE;

export function columnOf(slot: number): number {
  return slot % SIDE;
}

export function rowOf(slot: number): number {
  return Math.floor(slot / SIDE);
}

/** The slot under a point of an element, or null beside it. */
export function slotAt(element: Element, x: number, y: number): number | null {
  const box = element.getBoundingClientRect();
  const column = Math.floor(((x - box.left) / box.width) * SIDE);
  const row = Math.floor(((y - box.top) / box.height) * SIDE);
  if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return null;
  return row * SIDE + column;
}

/** The slot that a key of the keyboard leads to, or null when it leads nowhere. */
export function slotAfter(key: string, from: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -SIDE,
    ArrowDown: SIDE,
    PageUp: -SIDE * 8,
    PageDown: SIDE * 8,
    Home: -from,
    End: SLOTS - 1 - from,
  };
  const step = steps[key];
  return step === undefined ? null : Math.min(SLOTS - 1, Math.max(0, from + step));
}

/** Calls back with each piece of a range that lies in one row: column, row, length. */
export function eachRun(
  start: number,
  end: number,
  paint: (column: number, row: number, length: number) => void,
): void {
  for (let at = start; at <= end; ) {
    const column = columnOf(at);
    const length = Math.min(SIDE - column, end - at + 1);
    paint(column, rowOf(at), length);
    at += length;
  }
}
