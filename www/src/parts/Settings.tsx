import { chooseTheme, type Language, language, type Theme, theme } from '../state/settings';
import { text } from '../text/language';

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** Language and appearance. */
export function Settings() {
  const words = text.value.settings;
  return (
    <div class="settings">
      <select
        id="language"
        aria-label={words.language}
        value={language.value}
        onChange={(event) => {
          language.value = event.currentTarget.value as Language;
        }}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="ko" lang="ko">
          한국어
        </option>
      </select>
      <select
        id="theme"
        aria-label={words.theme}
        value={theme.value}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {words[name]}
          </option>
        ))}
      </select>
    </div>
  );
}
