import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  /** Rows in view at once, at the most. */
  readonly rows: number;
  readonly selected: number | null;
  readonly onSelect: (at: number) => void;
  readonly onPoint?: (at: number | null) => void;
  readonly row: (at: number) => ComponentChildren;
}

/** All rows are of one height, so where each belongs takes no measuring. */
const ROW_PIXELS = 26;
/** Rows above and below the view that exist all the same. */
const SPARE = 8;

/** A list box of any length, of which only the rows in view exist. */
export function VirtualList(props: Props) {
  const { id, count, selected, onSelect, onPoint } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const visible = Math.min(count, props.rows);
  const first = Math.max(0, Math.min(top, count - visible) - SPARE);
  const last = Math.min(count, first + visible + 2 * SPARE);
  useLayoutEffect(() => setHeight(box.current, visible * ROW_PIXELS + 2), [visible]);
  useEffect(() => {
    if (selected !== null && selected < count) reveal(box.current, selected);
  }, [selected, count]);
  return (
    <div
      ref={box}
      id={id}
      class="list"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={selected === null ? undefined : `${id}-${selected}`}
      onScroll={({ currentTarget }) => setTop(Math.floor(currentTarget.scrollTop / ROW_PIXELS))}
      onKeyDown={(event) => {
        const next = rowAfter(event.key, selected, count);
        if (next === null) return;
        event.preventDefault();
        onSelect(next);
      }}
      onPointerLeave={() => onPoint?.(null)}
    >
      <div class="list-body" ref={(body) => setHeight(body, count * ROW_PIXELS)}>
        {Array.from({ length: last - first }, (_, step) => first + step).map((at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list box takes the keys for all rows
          <div
            key={at}
            id={`${id}-${at}`}
            class="list-row"
            role="option"
            tabIndex={-1}
            aria-selected={at === selected}
            aria-setsize={count}
            aria-posinset={at + 1}
            ref={(row) => place(row, at * ROW_PIXELS)}
            onClick={() => onSelect(at)}
            onPointerEnter={() => onPoint?.(at)}
          >
            {props.row(at)}
          </div>
        ))}
      </div>
    </div>
  );
}

function rowAfter(key: string, from: number | null, count: number): number | null {
  if (count === 0) return null;
  const at = from ?? -1;
  const rows: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  };
  const row = rows[key];
  return row === undefined ? null : Math.min(count - 1, Math.max(0, row));
}

/** Scrolls as little as it takes to bring a row into view. */
function reveal(box: HTMLElement | null, at: number): void {
  if (!box) return;
  const top = at * ROW_PIXELS;
  const lowest = top + ROW_PIXELS - box.clientHeight;
  box.scrollTop = Math.max(lowest, Math.min(top, box.scrollTop));
}

// Through the style object, because the page's policy forbids style attributes.
function setHeight(element: HTMLElement | null, pixels: number): void {
  if (element) element.style.height = `${pixels}px`;
}

function place(element: HTMLElement | null, pixels: number): void {
  if (element) element.style.transform = `translateY(${pixels}px)`;
}
