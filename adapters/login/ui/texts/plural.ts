/** A number with its noun, as a language's plural rules want it: `1 ticket`, `2 tickets`; in French also `0 billet`. */
export function countIn(language: string): (n: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language);
  return (n, one, other) => `${n} ${rules.select(n) === 'one' ? one : other}`;
}
