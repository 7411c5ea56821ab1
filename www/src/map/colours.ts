/** Hues that stay apart for the usual few primaries; red is kept for conflicts. */
const FIRST_HUES = [250, 160, 75, 310, 200, 115, 275, 345];
/** Turning by this angle never comes close to an earlier hue soon. */
const GOLDEN_ANGLE = 137.508;

const TONES = {
  light: { lightness: [0.72, 0.64, 0.8], chroma: 0.095 },
  dark: { lightness: [0.6, 0.52, 0.68], chroma: 0.09 },
};

/** The fill of the primary with index `at`. */
export function colourOf(at: number, dark: boolean): string {
  const { lightness, chroma } = dark ? TONES.dark : TONES.light;
  const { hue, tone } = place(at);
  return `oklch(${lightness[tone]} ${chroma} ${hue.toFixed(1)})`;
}

function place(at: number): { hue: number; tone: number } {
  const hue = FIRST_HUES[at];
  if (hue !== undefined) return { hue, tone: 0 };
  return { hue: (FIRST_HUES[0] ?? 0) + ((at * GOLDEN_ANGLE) % 360), tone: at % 3 };
}

export interface Palette {
  readonly paper: string;
  /** Slots while there is no topology. */
  readonly empty: string;
  readonly hatch: string;
  readonly conflict: string;
  readonly ink: string;
  readonly halo: string;
  readonly veil: string;
}

export function paletteOf(dark: boolean): Palette {
  return dark
    ? {
        paper: '#14181b',
        empty: '#262d33',
        hatch: '#4a535a',
        conflict: '#f0564a',
        ink: '#f6f8f9',
        halo: '#0b0d0f',
        veil: 'rgb(20 24 27 / 0.72)',
      }
    : {
        paper: '#fbfbf9',
        empty: '#dfe2e0',
        hatch: '#b4bbc0',
        conflict: '#d3271c',
        ink: '#11161a',
        halo: '#ffffff',
        veil: 'rgb(251 251 249 / 0.74)',
      };
}
