/** The words of one fan: the catalogue of their language, loaded alone, and the tag by which `Intl` writes for them. */
import { chooseLocale, type Language } from '../languages.ts';
import type { Texts } from './texts.ts';

export type Words = {
  texts: Texts;
  /** BCP 47, with the fan's region where they named one: `de-AT`. Dates, names of countries and `lang` follow it. */
  locale: string;
};

const catalogues: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  pt: () => import('./pt.ts'),
  ja: () => import('./ja.ts'),
};

/**
 * Loads the words for a sign-in.
 * @param uiLocales what the partner asked for, by preference; the browser's languages come after it
 * @see OpenID Connect Core 1.0 §3.1.2.1 (`ui_locales`)
 */
export async function loadWords(uiLocales: string | null | undefined): Promise<Words> {
  const asked = uiLocales?.split(' ') ?? [];
  const { language, locale } = chooseLocale([...asked, ...navigator.languages]);
  const { texts } = await catalogues[language]();
  return { texts, locale };
}
