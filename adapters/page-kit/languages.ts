export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language tags that `Intl` accepts, in order. Some browsers report the system's, such as `en-US@posix`, on which every
 * `Intl` constructor throws.
 */
export function usableLanguages(reported: readonly string[]): string[] {
  return reported.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag.replace(/[@.].*$/, '').replaceAll('_', '-'));
    } catch {
      return [];
    }
  });
}

/**
 * The first language that these pages have, else English.
 * @param wanted by preference; need not be valid tags
 * @returns also the tag as it was wanted (`pt-PT` for Portuguese), for formatting dates
 */
export function chooseLocale(wanted: readonly string[]): { language: Language; locale: string } {
  for (const locale of usableLanguages(wanted)) {
    const language = LANGUAGES.find((known) => known === new Intl.Locale(locale).language);
    if (language !== undefined) return { language, locale };
  }
  return { language: 'en', locale: 'en' };
}

/** The region in the browser's languages, else the one that they imply: `AT` for `de, de-AT`, `DE` for `de`. */
export function regionOfBrowser(reported: readonly string[]): string | undefined {
  const locales = usableLanguages(reported).map((tag) => new Intl.Locale(tag));
  const regions = [...locales, ...locales.map((locale) => locale.maximize())].map((locale) => locale.region);
  // Areas of the world have numbers, such as 419 for Latin America.
  return regions.find((region) => region !== undefined && /^[A-Z]{2}$/.test(region));
}
