import { codeFor } from '../code';
import { batch } from '../state/keys';
import { topology } from '../state/topology';
import { text } from '../text/language';

/** The code that does what the page has shown. */
export function CodeSample() {
  const words = text.value.keys;
  const node = topology.value.map?.primaries[0] ?? null;
  return (
    <section aria-labelledby="code-title">
      <h2 id="code-title">{words.code}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable */}
      <pre class="code" id="code" tabIndex={0}>
        {codeFor(batch.value.lines, node)}
      </pre>
    </section>
  );
}
