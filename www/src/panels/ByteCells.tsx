import { hex, shownKey } from '../bytes';
import { type Glyph, glyphsOf } from '../glyph';
import { isPointedAt, pointedSlot } from '../state/highlight';
import { keyBytes, keyExplanation } from '../state/key';
import { text } from '../text/language';

/** More cells than these are of no use to anybody. */
const MOST = 320;

/** The bytes of the key in cells, those that are hashed lit. */
export function ByteCells() {
  const words = text.value.key;
  const bytes = keyBytes.value;
  const { tag, hashed, slot } = keyExplanation.value;
  const { start, end } = tag ?? { start: 0, end: bytes.length };
  const glyphs = glyphsOf(bytes.subarray(0, MOST));
  const cut = bytes.length > MOST;
  return (
    <figure
      class={`bytes ${isPointedAt(slot) ? 'pointed' : ''}`}
      onPointerEnter={() => {
        pointedSlot.value = slot;
      }}
      onPointerLeave={() => {
        pointedSlot.value = null;
      }}
    >
      <figcaption>
        <span>{words.bytes(bytes.length)}</span>
        <span class="lit-text">{words.hashed(end - start)}</span>
      </figcaption>
      {glyphs.length > 0 && (
        <div class="cells" role="img" aria-label={words.cells(bytes.length, shownKey(hashed))}>
          {glyphs.map((glyph) => (
            <GlyphCell key={glyph.at} glyph={glyph} start={start} end={end} tagged={tag !== null} />
          ))}
        </div>
      )}
      {cut && <p class="faint">{words.cut(MOST, bytes.length)}</p>}
      {glyphs.some(({ kind }) => kind === 'invisible') && <p class="faint">{words.invisible}</p>}
    </figure>
  );
}

interface Props {
  readonly glyph: Glyph;
  readonly start: number;
  readonly end: number;
  readonly tagged: boolean;
}

function GlyphCell({ glyph, start, end, tagged }: Props) {
  const { at, bytes, shown, kind } = glyph;
  const lit = at >= start && at < end;
  const brace = tagged && (at === start - 1 || at === end);
  return (
    <span class={`cell ${kind} ${lit ? 'lit' : ''} ${brace ? 'brace' : ''}`}>
      <span class="cell-char">{shown}</span>
      <span class="cell-hex">{bytes.map(hex).join(' ')}</span>
    </span>
  );
}
