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
