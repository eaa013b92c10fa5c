import formatMessage, { type CompiledMessage, type FormatOptions } from 'icu-minify/format';

const formatters: FormatOptions['formatters'] = {
  getDateTimeFormat: (...args) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args) => new Intl.NumberFormat(...args),
  getPluralRules: (...args) => new Intl.PluralRules(...args),
};

/** Fills in an ICU message. The build has compiled those of the catalogues (`packages/build-pages`). */
export type Format = (message: CompiledMessage, values: Record<string, string | number>) => string;

export const formatIn =
  (language: string): Format =>
  (message, values) =>
    String(formatMessage(message, language, values, { formatters }));

/** A time to wait, rounded up: seconds up to a minute, then whole minutes, then whole hours. */
export function durationIn(language: string): (seconds: number) => string {
  const write = (n: number, unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(n));
  return (seconds) => {
    if (seconds < 60) return write(seconds, 'second');
    return seconds < 5400 ? write(seconds / 60, 'minute') : write(seconds / 3600, 'hour');
  };
}
