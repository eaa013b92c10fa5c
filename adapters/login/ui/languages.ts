/**
 * The language tags that `Intl` accepts, in order. Some browsers report what their system says, such as `en-US@posix`, on
 * which every `Intl` constructor throws.
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
