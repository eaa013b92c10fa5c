import { useMemo } from 'preact/hooks';
import { useWords } from '../texts/words.ts';
import type { PhoneRules } from './phone-rules.ts';

type Country = { region: string; name: string; callingCode: string | undefined };

/** Countries by name, sorted as in the fan's language; only the chosen one until the rules are loaded. */
function listCountries(rules: PhoneRules | undefined, chosen: string | undefined, locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const regions = rules?.regionsWithNumbers() ?? (chosen === undefined ? [] : [chosen]);
  const { compare } = new Intl.Collator(locale);
  return regions
    .map((region) => ({ region, name: names.of(region) ?? region, callingCode: rules?.callingCodeOf(region) }))
    .sort((a, b) => compare(a.name, b.name));
}

type Props = {
  rules: PhoneRules | undefined;
  region: string | undefined;
  /** Whether the number begins with its calling code, which then is not shown here too. */
  isInternational: boolean;
  onChoose: (region: string) => void;
};

/** The country of the number: the browser's own list, invisible over a short form that shows the calling code. */
export function CountrySelect({ rules, region, isInternational, onChoose }: Props) {
  const { texts, locale } = useWords();
  const countries = useMemo(() => listCountries(rules, region, locale), [rules, region, locale]);
  const callingCode = isInternational ? undefined : rules?.callingCodeOf(region);
  return (
    <div class="country">
      <span class="face" aria-hidden="true">
        <span>{region ?? '–'}</span>
        {callingCode === undefined ? null : <bdi dir="ltr">+{callingCode}</bdi>}
      </span>
      <select
        id="country"
        aria-label={texts.phone.country}
        autocomplete="off"
        value={region ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {region === undefined ? <option value="">{texts.phone.chooseCountry}</option> : null}
        {countries.map((country) => (
          <option key={country.region} value={country.region}>
            {country.callingCode === undefined ? country.name : `${country.name} (+${country.callingCode})`}
          </option>
        ))}
      </select>
    </div>
  );
}
