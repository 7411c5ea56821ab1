import { useEffect } from 'preact/hooks';
import { fields, PANELS, type Panel } from '../state/fields';
import { text } from '../text/language';

/** The row of panels; arrow keys move along it. */
export function Tabs() {
  const panel = fields.panel.value;
  useEffect(() => {
    const tab = document.getElementById(`tab-${panel}`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [panel]);
  return (
    <div class="tabs" role="tablist" aria-label={text.value.panelsLabel} onKeyDown={moveAlong}>
      {PANELS.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-controls="panel"
          aria-selected={panel === name}
          tabIndex={panel === name ? 0 : -1}
          onClick={() => {
            fields.panel.value = name;
          }}
        >
          {text.value.panels[name]}
        </button>
      ))}
    </div>
  );
}

function moveAlong(event: KeyboardEvent): void {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const at = PANELS.indexOf(fields.panel.value) + step + PANELS.length;
  const next = PANELS[at % PANELS.length] as Panel;
  fields.panel.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}
