import { useEffect, useState } from 'preact/hooks';
import type { PhoneRules } from './phone-rules.ts';

/** The rules of phone numbers; the browser loads them once. */
export const loadPhoneRules = (): Promise<PhoneRules> => import('./phone-rules.ts');

/** The same, undefined until they are there. The form works without them: they only format, and name the countries. */
export function usePhoneRules(): PhoneRules | undefined {
  const [rules, setRules] = useState<PhoneRules>();
  useEffect(() => {
    loadPhoneRules().then(setRules, () => undefined);
  }, []);
  return rules;
}
