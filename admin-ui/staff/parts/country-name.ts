const REGIONS = new Intl.DisplayNames('en', { type: 'region' });
/** The name of an unknown region. */
const UNKNOWN = REGIONS.of('ZZ');

/** `France` for `FR`; undefined if it is not a country. */
export function countryName(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code)) return undefined;
  const name = REGIONS.of(code.toUpperCase());
  return name === code.toUpperCase() || name === UNKNOWN ? undefined : name;
}
