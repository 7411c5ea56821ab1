import { effect, signal } from '@preact/signals';

export type Language = 'en' | 'ko';
export type Theme = 'auto' | 'light' | 'dark';

const THEME = 'redslot-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
/** As in the style sheets. */
const small = matchMedia('(max-width: 900px)');

export const language = signal<Language>(navigator.language.startsWith('ko') ? 'ko' : 'en');
export const theme = signal<Theme>(remembered());
/** What is on screen, whatever chose it. */
export const isDark = signal(dark.matches);
/** Whether there is room for one column only. */
export const narrow = signal(small.matches);

/** Keeps the document's attributes and what is on screen in step with the settings. */
export function applySettings(): void {
  dark.addEventListener('change', show);
  small.addEventListener('change', () => {
    narrow.value = small.matches;
  });
  effect(show);
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  try {
    localStorage.setItem(THEME, next);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

function show(): void {
  isDark.value = theme.value === 'auto' ? dark.matches : theme.value === 'dark';
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
}

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(THEME);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}
