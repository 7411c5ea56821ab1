import { CONTESTED } from '../state/topology';
import { colourOf, type Palette, paletteOf } from './colours';
import { columnOf, eachRun, rowOf, SIDE, SLOTS } from './grid';

/** What the map shows besides the owners. */
export interface Marks {
  readonly dark: boolean;
  readonly primary: number | null;
  /** Keys per slot, null where there are none at all. */
  readonly counts: Uint32Array | null;
  readonly range: readonly [number, number] | null;
  readonly slots: readonly number[];
  readonly cursor: number | null;
}

/** The owners, one pixel per slot. */
export function paintOwners(owners: Int16Array, dark: boolean, known: boolean): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const palette = paletteOf(dark);
  context.fillStyle = known ? palette.paper : palette.empty;
  context.fillRect(0, 0, SIDE, SIDE);
  for (let start = 0; start < SLOTS; ) {
    const owner = owners[start] as number;
    let end = start;
    while (owners[end + 1] === owner) end++;
    if (owner >= 0) fill(context, start, end, colourOf(owner, dark));
    else if (owner === CONTESTED) hatch(context, start, end, palette.conflict, 2);
    else if (known) hatch(context, start, end, palette.hatch, 4);
    start = end + 1;
  }
  return canvas;
}

function fill(context: CanvasRenderingContext2D, start: number, end: number, colour: string) {
  context.fillStyle = colour;
  eachRun(start, end, (column, row, length) => context.fillRect(column, row, length, 1));
}

/** Diagonals, so that a slot without one owner differs from any colour by its pattern. */
function hatch(
  context: CanvasRenderingContext2D,
  start: number,
  end: number,
  colour: string,
  period: number,
) {
  context.fillStyle = colour;
  for (let slot = start; slot <= end; slot++) {
    if ((columnOf(slot) + rowOf(slot)) % period === 0) {
      context.fillRect(columnOf(slot), rowOf(slot), 1, 1);
    }
  }
}

/** Draws the whole map at the size of the canvas. */
export function paintMap(
  context: CanvasRenderingContext2D,
  base: HTMLCanvasElement,
  owners: Int16Array,
  marks: Marks,
): void {
  const { width } = context.canvas;
  const cell = width / SIDE;
  const palette = paletteOf(marks.dark);
  context.imageSmoothingEnabled = false;
  context.clearRect(0, 0, width, width);
  context.drawImage(base, 0, 0, width, width);
  paintGrid(context, cell, palette);
  if (marks.primary !== null) veil(context, cell, owners, marks.primary, palette);
  if (marks.counts) paintKeys(context, cell, marks.counts, palette);
  if (marks.range) outline(context, cell, marks.range, palette);
  for (const slot of marks.slots) ring(context, cell, slot, palette);
  if (marks.cursor !== null) paintCursor(context, cell, marks.cursor, palette);
}

/** Lines between slots where there is room, and a stronger one every 16 rows and columns. */
function paintGrid(context: CanvasRenderingContext2D, cell: number, { paper }: Palette) {
  const { width } = context.canvas;
  context.fillStyle = paper;
  for (let at = 1; at < SIDE; at++) {
    const strong = at % 16 === 0;
    if (!strong && cell < 4) continue;
    context.globalAlpha = strong ? 0.62 : 0.22;
    context.fillRect(at * cell, 0, 1, width);
    context.fillRect(0, at * cell, width, 1);
  }
  context.globalAlpha = 1;
}

function veil(
  context: CanvasRenderingContext2D,
  cell: number,
  owners: Int16Array,
  primary: number,
  { veil: colour }: Palette,
) {
  context.fillStyle = colour;
  for (let start = 0; start < SLOTS; ) {
    const kept = owners[start] === primary;
    let end = start;
    while (end + 1 < SLOTS && (owners[end + 1] === primary) === kept) end++;
    if (!kept) {
      eachRun(start, end, (column, row, length) =>
        context.fillRect(column * cell, row * cell, length * cell, cell),
      );
    }
    start = end + 1;
  }
}

/** A dot per slot with keys; the more keys it has, the larger. */
function paintKeys(
  context: CanvasRenderingContext2D,
  cell: number,
  counts: Uint32Array,
  palette: Palette,
) {
  const most = counts.reduce((max, count) => Math.max(max, count), 1);
  context.fillStyle = palette.ink;
  for (let slot = 0; slot < SLOTS; slot++) {
    const count = counts[slot] as number;
    if (count === 0) continue;
    const weight = most === 1 ? 0.5 : Math.log1p(count) / Math.log1p(most);
    const size = Math.max(2, cell * (0.3 + 0.6 * weight));
    const inset = (cell - size) / 2;
    context.fillRect(columnOf(slot) * cell + inset, rowOf(slot) * cell + inset, size, size);
  }
}

function outline(
  context: CanvasRenderingContext2D,
  cell: number,
  [start, end]: readonly [number, number],
  { ink, halo }: Palette,
) {
  const path = new Path2D();
  const inside = (slot: number) => slot >= start && slot <= end;
  eachRun(start, end, (column, row, length) => {
    for (let at = column; at < column + length; at++) {
      const slot = row * SIDE + at;
      const x = at * cell;
      const y = row * cell;
      if (!inside(slot - SIDE)) edge(path, x, y, x + cell, y);
      if (!inside(slot + SIDE)) edge(path, x, y + cell, x + cell, y + cell);
      if (at === 0 || !inside(slot - 1)) edge(path, x, y, x, y + cell);
      if (at === SIDE - 1 || !inside(slot + 1)) edge(path, x + cell, y, x + cell, y + cell);
    }
  });
  stroke(context, path, halo, Math.max(3 * devicePixelRatio, cell * 0.7));
  stroke(context, path, ink, Math.max(1.2 * devicePixelRatio, cell * 0.32));
}

function edge(path: Path2D, x1: number, y1: number, x2: number, y2: number) {
  path.moveTo(x1, y1);
  path.lineTo(x2, y2);
}

function stroke(context: CanvasRenderingContext2D, path: Path2D, colour: string, width: number) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'square';
  context.stroke(path);
}

/** Least distance of a frame from the middle of its slot, in pixels of the style sheet. */
const LEAST_REACH = 4;

/** A frame around one slot that is seen from afar. */
function ring(
  context: CanvasRenderingContext2D,
  cell: number,
  slot: number,
  { ink, halo }: Palette,
) {
  const reach = Math.max(1, Math.ceil((LEAST_REACH * devicePixelRatio) / cell - 0.5));
  const x = (columnOf(slot) - reach) * cell;
  const y = (rowOf(slot) - reach) * cell;
  const size = (2 * reach + 1) * cell;
  const path = new Path2D();
  path.rect(x, y, size, size);
  stroke(context, path, halo, Math.max(3.5 * devicePixelRatio, cell * 0.9));
  stroke(context, path, ink, Math.max(1.5 * devicePixelRatio, cell * 0.42));
}

function paintCursor(
  context: CanvasRenderingContext2D,
  cell: number,
  slot: number,
  palette: Palette,
) {
  const { width } = context.canvas;
  const x = (columnOf(slot) + 0.5) * cell;
  const y = (rowOf(slot) + 0.5) * cell;
  const lines = new Path2D();
  const reach = 2.5 * cell;
  edge(lines, 0, y, Math.max(0, x - reach), y);
  edge(lines, Math.min(width, x + reach), y, width, y);
  edge(lines, x, 0, x, Math.max(0, y - reach));
  edge(lines, x, Math.min(width, y + reach), x, width);
  context.globalAlpha = 0.55;
  stroke(context, lines, palette.ink, Math.max(devicePixelRatio, cell * 0.14));
  context.globalAlpha = 1;
  ring(context, cell, slot, palette);
}
