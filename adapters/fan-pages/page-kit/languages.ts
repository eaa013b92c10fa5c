/** The language of the pages where none of the fan's languages has a catalogue. */
const USUAL = 'en';

/**
 * The contents of files that are named after languages, by language: `de` for `./de.json`. The catalogues define the languages;
 * there is no other list. English comes first.
 */
export function byLanguage<Held>(files: Readonly<Record<string, Held>>): Readonly<Record<string, Held>> {
  const held = Object.entries(files).map(([path, each]) => [/(\w+)\.json/.exec(path)?.[1] ?? path, each] as const);
  const rank = (language: string) => (language === USUAL ? '' : language);
  return Object.fromEntries(held.sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)));
}

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
 * The first wanted language that has a catalogue, otherwise English.
 * @param wanted by preference; need not be valid tags
 * @returns the catalogue, and the tag as it was wanted (`pt-PT` for Portuguese), for formatting dates
 */
export function chooseCatalogue<Catalogue>(
  wanted: readonly string[],
  catalogues: Readonly<Record<string, Catalogue>>,
): { catalogue: Catalogue; language: string; locale: string } {
  for (const locale of [...usableLanguages(wanted), USUAL]) {
    const { language } = new Intl.Locale(locale);
    const catalogue = Object.hasOwn(catalogues, language) ? catalogues[language] : undefined;
    if (catalogue !== undefined) return { catalogue, language, locale };
  }
  throw new Error('there is no English catalogue');
}

/** The region in the browser's languages, otherwise the one that they imply: `AT` for `de, de-AT`, `DE` for `de`. */
export function regionOfBrowser(reported: readonly string[]): string | undefined {
  const locales = usableLanguages(reported).map((tag) => new Intl.Locale(tag));
  const regions = [...locales, ...locales.map((locale) => locale.maximize())].map((locale) => locale.region);
  // Areas of the world have numbers, such as 419 for Latin America.
  return regions.find((region) => region !== undefined && /^[A-Z]{2}$/.test(region));
}
