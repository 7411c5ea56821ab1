import { SlotMapView } from './map/SlotMapView';
import { KeyPanel } from './panels/KeyPanel';
import { Primaries } from './panels/Primaries';
import { lazy } from './parts/lazy';
import { Settings } from './parts/Settings';
import { Tabs } from './parts/Tabs';
import { fields } from './state/fields';
import { tooLong } from './state/link';
import { narrow } from './state/settings';
import { text } from './text/language';

const KeysPanel = lazy(async () => (await import('./panels/KeysPanel')).KeysPanel);
const TopologyPanel = lazy(async () => (await import('./panels/TopologyPanel')).TopologyPanel);
const PatternPanel = lazy(async () => (await import('./panels/PatternPanel')).PatternPanel);
const TagPanel = lazy(async () => (await import('./panels/TagPanel')).TagPanel);
const ReshardPanel = lazy(async () => (await import('./panels/ReshardPanel')).ReshardPanel);

const PANEL_OF = {
  key: KeyPanel,
  keys: KeysPanel,
  topology: TopologyPanel,
  pattern: PatternPanel,
  tag: TagPanel,
  reshard: ReshardPanel,
};

/** Fetches what the first view does not need, so that the others open at once. */
export function fetchTheRest(): void {
  for (const panel of [KeysPanel, TopologyPanel, PatternPanel, TagPanel, ReshardPanel]) {
    panel.preload();
  }
}

export function App() {
  const Panel = PANEL_OF[fields.panel.value];
  return (
    <div class="page">
      <header class="top">
        <div>
          <h1>
            redslot <span>{text.value.title}</span>
          </h1>
          <p>
            {text.value.subtitle} <a href="api/index.html">{text.value.api}</a>
          </p>
        </div>
        <Settings />
      </header>
      <main>
        <div class="work">
          <Tabs />
          {narrow.value && <SlotMapView />}
          <div
            class="panel"
            id="panel"
            role="tabpanel"
            aria-labelledby={`tab-${fields.panel.value}`}
          >
            <Panel />
          </div>
          {tooLong.value && (
            <p class="notice" role="status">
              {text.value.settings.tooLong}
            </p>
          )}
        </div>
        <div class="stage">
          {!narrow.value && <SlotMapView />}
          <Primaries />
        </div>
      </main>
    </div>
  );
}
