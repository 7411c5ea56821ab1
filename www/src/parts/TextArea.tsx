import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count, text } from '../text/language';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly rows?: number;
  readonly describedBy?: string;
  readonly invalid?: boolean;
}

/** A browser takes seconds to lay out a longer text, and the page would stand still meanwhile. */
const LONGEST = 100_000;
const EXCERPT_LINES = 200;

/**
 * A text area for pastes of any length. Of a very long one it holds the beginning only, and is not
 * to be edited then, but takes another paste.
 */
export function TextArea(props: Props) {
  const { value, onText } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const long = value.length > LONGEST;
  const shown = long ? beginningOf(value) : value;
  useLayoutEffect(() => setText(area.current, shown), [shown]);
  return (
    <>
      <textarea
        ref={area}
        id={props.id}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid ? 'true' : undefined}
        rows={props.rows ?? 8}
        readOnly={long}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text') ?? '';
          if (!long && pasted.length <= LONGEST) return;
          event.preventDefault();
          onText(pasted);
        }}
        onInput={(event) => {
          const { value: typed } = event.currentTarget;
          if (typed.length > LONGEST) setText(event.currentTarget, beginningOf(typed));
          onText(typed);
        }}
      />
      {long && <p class="faint">{text.value.excerpt(count(EXCERPT_LINES))}</p>}
    </>
  );
}

/** Setting a text again, be it the same, moves the caret. */
function setText(area: HTMLTextAreaElement | null, text: string): void {
  if (area && area.value !== text) area.value = text;
}

function beginningOf(text: string): string {
  let end = 0;
  for (let line = 0; line < EXCERPT_LINES && end >= 0; line++) end = text.indexOf('\n', end + 1);
  return text.slice(0, end < 0 ? LONGEST : Math.min(end, LONGEST));
}

interface LineProps {
  readonly id: string;
  readonly label: string;
  readonly value: Signal<string>;
  readonly class?: string;
  readonly inputMode?: 'numeric';
  readonly invalid?: boolean;
}

/** One line of text, bound to a field. */
export function TextLine({ id, label, value, invalid, ...rest }: LineProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        {...rest}
        value={value.value}
        aria-invalid={invalid ? 'true' : undefined}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}
