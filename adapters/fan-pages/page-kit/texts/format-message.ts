import formatMessage, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';

const formatters: FormatOptions['formatters'] = {
  getDateTimeFormat: (...args) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args) => new Intl.NumberFormat(...args),
  getPluralRules: (...args) => new Intl.PluralRules(...args),
};

/** Fills in an ICU message. The build has compiled those of the catalogues (`packages/build-pages`). */
export type Format = (message: CompiledMessage, values: Record<string, string | number>) => string;

/**
 * @param language of the catalogue
 * @param direction of the catalogue: `ltr` or `rtl`
 */
export const formatIn =
  (language: string, direction: string): Format =>
  (message, values) => {
    const isMixed = direction === 'rtl' || Object.values(values).some((value) => RIGHT_TO_LEFT.test(String(value)));
    const written = isMixed && typeof message !== 'string' ? isolateArguments(message) : message;
    return String(formatMessage(written, language, values, { formatters }));
  };

/** Right-to-left letters, and control characters, which names may have that were stored before they were refused. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

type Parts = Exclude<CompiledMessage, string>;

/**
 * Isolates names and numbers from the text around them: one in the other direction would move the words and marks beside it.
 * @see UAX #9 §2.4.2, FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE
 */
function isolateArguments(message: Parts): Parts {
  return message.flatMap((part): Parts => {
    if (!Array.isArray(part)) return [part];
    const [name, kind, forms] = part;
    if (kind === undefined) return ['\u2068', part, '\u2069'];
    return typeof forms === 'object' && forms !== null ? [[name, kind, isolateForms(forms)]] : [part];
  });
}

const isolateForms = (forms: object): object =>
  Object.fromEntries(
    Object.entries(forms).map(([name, form]) => [name, Array.isArray(form) ? isolateArguments(form as Parts) : form]),
  );
