import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  type Oklch,
  useMode as registerMode,
  wcagContrast,
} from 'culori/fn';

registerMode(modeRgb);
// used by the contrast of WCAG
registerMode(modeLrgb);
const toOklch = registerMode(modeOklch);

/** What one colour of the operator becomes in one colour scheme. All values are `#rrggbb`. */
export interface Palette {
  /** For links, borders and focus rings: readable on every background. */
  accent: string;
  /** For the main button. */
  fill: string;
  /** For the button under the pointer. */
  fillStrong: string;
  /** For text on both. */
  onFill: string;
  /** For the background of a selected part. */
  tint: string;
}

/** WCAG 2.2, 1.4.3: text of normal size. */
export const READABLE = 4.5;

/** Lightness and backgrounds of a scheme, as `@fan-api/look` has them. */
const SCHEMES = {
  light: { backgrounds: ['#f3f4f1', '#ffffff'], towards: -1, tint: { l: 0.965, c: 0.01 } },
  dark: { backgrounds: ['#101412', '#191f1c'], towards: 1, tint: { l: 0.275, c: 0.015 } },
} as const;

export type Scheme = keyof typeof SCHEMES;

const LIGHTNESS_STEP = 0.01;
const HOVER_STEP = 0.06;

/**
 * The colours of a scheme. Buttons keep the operator's colour as it is, with black or white text. Where text in that colour
 * could not be read on the page, text gets a darker or lighter shade of it.
 */
export function paletteOf(colour: string, scheme: Scheme): Palette {
  const { backgrounds, towards, tint } = SCHEMES[scheme];
  const { h } = lch(colour);
  const tinted = hex({ mode: 'oklch', l: tint.l, c: lch(colour).c < 0.01 ? 0 : tint.c, ...(h !== undefined && { h }) });
  const onFill = wcagContrast(colour, '#ffffff') >= READABLE ? '#ffffff' : '#000000';
  return {
    accent: readable(colour, [...backgrounds, tinted], towards),
    fill: colour,
    fillStrong: hoverOf(colour, onFill),
    onFill,
    tint: tinted,
  };
}

/** The colour, or the nearest shade of it that can be read on all of the backgrounds. */
function readable(colour: string, backgrounds: readonly string[], towards: 1 | -1): string {
  const start = lch(colour);
  let shade = colour;
  for (let l = start.l; l >= 0 && l <= 1; l += towards * LIGHTNESS_STEP) {
    if (l !== start.l) shade = hex({ ...start, l });
    const current = shade;
    if (backgrounds.every((background) => wcagContrast(current, background) >= READABLE)) return current;
  }
  return towards === 1 ? '#ffffff' : '#000000';
}

/** Moves the colour away from the text's, so that the text stays readable; at the end of the range, towards it. */
function hoverOf(colour: string, text: string): string {
  const start = lch(colour);
  const away = text === '#ffffff' ? -HOVER_STEP : HOVER_STEP;
  const isAtEnd = start.l + away < 0.1 || start.l + away > 0.98;
  return hex({ ...start, l: start.l + (isAtEnd ? -away : away) });
}

function lch(colour: string): Oklch {
  const converted = toOklch(colour);
  if (converted === undefined) throw new Error(`${colour} is no colour`);
  return converted;
}

/** Less colourful where a screen could not show it. */
const hex = (colour: Oklch): string => formatHex(clampChroma(colour, 'oklch'));
