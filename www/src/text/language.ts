import { computed, effect, signal } from '@preact/signals';
import { language } from '../state/settings';
import type { Messages } from './en';

const FETCH = {
  en: async () => (await import('./en')).en,
  ko: async () => (await import('./ko')).ko,
};

/** In the language that was chosen, once its texts are there; until then in the one before. */
export const text = signal(undefined as unknown as Messages);

/** Fetches the texts of a language when it is first chosen; done when those of today are there. */
export async function followLanguage(): Promise<void> {
  const follow = async () => {
    const chosen = language.value;
    const messages = await FETCH[chosen]();
    if (chosen === language.peek()) text.value = messages;
  };
  await follow();
  effect(() => void follow());
}

const numbers = computed(() => new Intl.NumberFormat(language.value));
const percents = computed(
  () => new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 1 }),
);
const factors = computed(
  () =>
    new Intl.NumberFormat(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

export function count(value: number): string {
  return numbers.value.format(value);
}

export function percent(share: number): string {
  return percents.value.format(share);
}

export function factor(value: number): string {
  return `${factors.value.format(value)}×`;
}
