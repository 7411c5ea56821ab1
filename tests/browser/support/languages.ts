/** The languages of the page, and how the title of a test names them. */
export const LANGUAGES = [
  ['en', 'in English'],
  ['ko', 'in Korean'],
] as const;

export type Language = (typeof LANGUAGES)[number][0];

/** A number as the page writes it. */
export function written(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}
