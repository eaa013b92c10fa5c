import { readFileSync } from 'node:fs';
import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { paletteOf, READABLE, type Scheme } from '../../../../adapters/fan-pages/operator/palette.ts';

const css = readFileSync(new URL('../../../../packages/look/src/tokens.css', import.meta.url), 'utf8');

/** The neutral colours as the pages have them. */
function tokens(scheme: Scheme): Record<string, string> {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  return Object.fromEntries(
    [...(scheme === 'light' ? light : dark).matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, name = '', value]) => [
      name,
      value ?? '',
    ]),
  );
}

/** Every sixth step of red, green and blue, with the extremes. */
const CHANNEL = ['00', '33', '66', '99', 'cc', 'ff'];
const COLOURS = CHANNEL.flatMap((r) => CHANNEL.flatMap((g) => CHANNEL.map((b) => `#${r}${g}${b}`)));

describe.each(['light', 'dark'] as const)("the operator's colour on %s pages", (scheme) => {
  const neutral = tokens(scheme);

  it('WCAG 2.2 1.4.3: whatever it is, links and the text of buttons can be read, at rest and under the pointer', () => {
    const faint = COLOURS.flatMap((colour) => {
      const { accent, fillStrong, fill, onFill, tint } = paletteOf(colour, scheme);
      const pairs: [string, string][] = [
        ...[neutral.ground, neutral.surface, tint].map((ground): [string, string] => [accent, ground ?? '']),
        ...[fill, fillStrong].map((ground): [string, string] => [onFill, ground]),
        ...[neutral.text, neutral.muted].map((text): [string, string] => [text ?? '', tint]),
      ];
      return pairs.filter(([text, ground]) => wcagContrast(text, ground) < READABLE).map((pair) => [colour, ...pair]);
    });
    expect(faint).toEqual([]);
    expect(wcagContrast(neutral.muted ?? '', neutral.ground ?? '')).toBeGreaterThan(READABLE);
  });

  it('a button has the colour as it is, and looks different under the pointer', () => {
    for (const colour of COLOURS) {
      const { fill, fillStrong } = paletteOf(colour, scheme);
      expect(fill).toBe(colour);
      expect(fillStrong, colour).not.toBe(colour);
      expect(fillStrong).toMatch(/^#[0-9a-f]{6}$/);
    }
  });
});

it('a colour that can be read is used for links as it is; yellow becomes darker on white only', () => {
  expect(paletteOf('#0f5c4d', 'light').accent).toBe('#0f5c4d');
  expect(paletteOf('#ffd400', 'dark').accent).toBe('#ffd400');
  expect(wcagContrast(paletteOf('#ffd400', 'light').accent, '#ffffff')).toBeGreaterThan(READABLE);
});
