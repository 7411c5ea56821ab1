/** The slot that a text spells, or null. */
export function slotFrom(typed: string): number | null {
  return /^\s*\d{1,5}\s*$/.test(typed) && Number(typed) < 16384 ? Number(typed) : null;
}
