const REGIONS = new Intl.DisplayNames('en', { type: 'region' });
/** What the name of no region is. */
const UNKNOWN = REGIONS.of('ZZ');

/** `France` for `FR`; undefined for what is no country. */
export function countryName(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code)) return undefined;
  const name = REGIONS.of(code.toUpperCase());
  return name === code.toUpperCase() || name === UNKNOWN ? undefined : name;
}
