/** A number with its noun, as a language's plural rules want it: `1 ticket`, `2 tickets`; in French also `0 billet`. */
export function countIn(language: string): (n: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language);
  return (n, one, other) => `${n} ${rules.select(n) === 'one' ? one : other}`;
}

/** A time to wait in a language's words: seconds up to a minute, then whole minutes, then whole hours, rounded up. */
export function durationIn(language: string): (seconds: number) => string {
  const write = (n: number, unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(n));
  return (seconds) => {
    if (seconds < 60) return write(seconds, 'second');
    return seconds < 5400 ? write(seconds / 60, 'minute') : write(seconds / 3600, 'hour');
  };
}
