import { computed, effect, signal } from '@preact/signals';
import { language } from '../state/settings';
import { en, type Messages } from './en';

const korean = signal<Messages | null>(null);

export const text = computed<Messages>(() =>
  language.value === 'ko' && korean.value ? korean.value : en,
);

/** Fetches a language when it is first chosen; done at once when it is there already. */
export async function followLanguage(): Promise<void> {
  const fetchKorean = async () => {
    korean.value = (await import('./ko')).ko;
  };
  if (language.value === 'ko') await fetchKorean();
  effect(() => {
    if (language.value === 'ko' && korean.peek() === null) void fetchKorean();
  });
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
