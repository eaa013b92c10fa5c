import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { plainDigits } from '../../../../src/platform/plain-digits.ts';
import { Alert } from '../parts/alert.tsx';
import { useTexts, useWords } from '../texts/words.ts';
import type { PhoneRules } from './phone-rules.ts';

/** What the fan typed, and the region of a number without a calling code. */
export type PhoneDraft = { typed: string; region?: string | undefined };

/** Formats numbers and lists the countries. The browser loads the rules once; the form works without them. */
export const loadPhoneRules = (): Promise<PhoneRules> => import('./phone-rules.ts');

type Props = {
  draft: PhoneDraft;
  onChange: (draft: PhoneDraft) => void;
  /** What is wrong with the number; the field then has the focus. */
  problem: string | undefined;
};

/** A phone number with its country. It is formatted while typed, and a typed calling code selects the country. */
export function PhoneField({ draft, onChange, problem }: Props) {
  const texts = useTexts();
  const [rules, setRules] = useState<PhoneRules>();
  const field = useRef<HTMLInputElement>(null);
  const { typed, region } = draft;

  useEffect(() => {
    loadPhoneRules().then(setRules, () => undefined);
  }, []);
  useLayoutEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);

  /** Stores the value of the field, formatted only if the caret is at the end: formatting moves the caret there. */
  function take(typedValue: string, mayFormat: boolean): void {
    const value = plainDigits(typedValue);
    const followed = rules?.regionOf(value, region) ?? region;
    const shown = mayFormat && rules !== undefined ? rules.formatAsTyped(value, followed) : value;
    onChange({ typed: shown, region: followed });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a number that was typed before the rules were loaded
  useEffect(() => {
    const { current } = field;
    // What is in the field, not the draft: the fan may have typed since this was rendered.
    if (rules !== undefined && current && current.value !== '')
      take(current.value, current.selectionStart === current.value.length);
  }, [rules]);

  function read(event: InputEvent & { currentTarget: HTMLInputElement }): void {
    const { value, selectionStart } = event.currentTarget;
    // After a deletion, formatting would put back a bracket that was just taken away.
    const isDeletion = event.inputType?.startsWith('delete') ?? false;
    take(value, !isDeletion && selectionStart === value.length);
  }

  return (
    <div class="field">
      <label for="phone">{texts.phone.label}</label>
      <div class="phone">
        <CountrySelect
          rules={rules}
          region={region}
          isInternational={typed.trim().startsWith('+')}
          onChoose={(chosen) =>
            onChange({ typed: rules?.moveToRegion(typed, region, chosen) ?? typed, region: chosen })
          }
        />
        <input
          id="phone"
          ref={field}
          data-focus-first
          type="tel"
          name="phone"
          dir="ltr"
          autocomplete="tel"
          inputMode="tel"
          value={typed}
          onInput={read}
          onBlur={(event) => take(event.currentTarget.value, true)}
          aria-required
          aria-invalid={problem !== undefined}
          aria-describedby="phone-hint phone-problem"
        />
      </div>
      <p id="phone-hint" class="hint">
        {texts.phone.hint}
      </p>
      <Alert id="phone-problem" message={problem} />
    </div>
  );
}

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

type CountryProps = {
  rules: PhoneRules | undefined;
  region: string | undefined;
  /** Whether the number begins with its calling code, which is then not repeated here. */
  isInternational: boolean;
  onChoose: (region: string) => void;
};

/** The country of the number: the browser's own list, invisible over a short form that shows the calling code. */
function CountrySelect({ rules, region, isInternational, onChoose }: CountryProps) {
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
