import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../adapters/page-kit/languages.ts';
import { texts as de } from '../../adapters/page-kit/texts/de.ts';
import { texts as en } from '../../adapters/page-kit/texts/en.ts';
import { texts as es } from '../../adapters/page-kit/texts/es.ts';
import { texts as fr } from '../../adapters/page-kit/texts/fr.ts';
import { texts as ja } from '../../adapters/page-kit/texts/ja.ts';
import { texts as pt } from '../../adapters/page-kit/texts/pt.ts';
import type { Texts } from '../../adapters/page-kit/texts/texts.ts';
import { ACTION_SCOPES } from '../../src/oauth/scopes.ts';

const catalogues: Record<Language, Texts> = { en, es, fr, de, pt, ja };

/** Every text with its place; those with a blank filled in with these numbers, or with a name. */
function sentencesOf(node: unknown, numbers: readonly number[], path = ''): [string, string][] {
  if (typeof node === 'string') return [[path, node]];
  if (typeof node === 'function') return [[path, String(node(...numbers))]];
  return Object.entries(node as object).flatMap(([key, value]) => sentencesOf(value, numbers, `${path}.${key}`));
}

test('spec §5.13: every action is explained to the fan in words of its own', () => {
  for (const [language, { actions }] of Object.entries(catalogues)) {
    const titles = ACTION_SCOPES.map((scope) => actions[scope].title);
    expect(new Set(titles).size, language).toBe(titles.length);
  }
});

test('an action that only reads is shown under "see", one that writes under "do"', () => {
  for (const { actions } of Object.values(catalogues)) {
    for (const scope of ACTION_SCOPES) expect(actions[scope].kind, scope).toBe(scope.endsWith('read') ? 'see' : 'act');
  }
});

describe.each(LANGUAGES)('the catalogue in %s', (language) => {
  test.each([[[0, 3]], [[1, 3]], [[5, 90]]])('has a whole text for every place, with the numbers %j', (numbers) => {
    const faulty = sentencesOf(catalogues[language], numbers).filter(
      ([, text]) => text.trim() !== text || text === '' || /undefined|NaN|null|\[object/.test(text),
    );
    expect(faulty).toEqual([]);
  });

  test.skipIf(language === 'en')('is translated', () => {
    const english = new Map(sentencesOf(en, [2, 3]));
    const same = sentencesOf(catalogues[language], [2, 3]).filter(([path, text]) => english.get(path) === text);
    const may = /^\.(direction|sandbox\.name|steps\.code|actions\.[\w:]+\.kind|consent\.plainTitle)$/;
    expect(same.filter(([path]) => !may.test(path))).toEqual([]);
  });
});
