import compile from 'icu-minify/compile';
import { chooseCatalogue } from '../../page-kit/languages.ts';
import type pageEn from '../../page-kit/texts/en.json';
import { formatIn } from '../../page-kit/texts/format-message.ts';
import { readCatalogues } from '../../page-kit/texts/read-catalogues.ts';
import { knownZone } from '../../page-kit/tickets/event-time.ts';
import type en from './texts/en.json';

/** Their own texts take no arguments. */
const RECEIPTS = readCatalogues<typeof en>(new URL('./texts/', import.meta.url));
const PAGES = readCatalogues<typeof pageEn>(new URL('../../page-kit/texts/', import.meta.url));

/** The words of a receipt for one fan. */
export interface ReceiptWords {
  texts: typeof en;
  /** The texts of the fan pages, because actions have the same names here. */
  page: typeof pageEn;
  /** BCP 47. */
  locale: string;
  /** Date and time with the zone. @param seconds since the epoch */
  formatMoment(seconds: number): string;
  /** Writes a message of `page`. */
  format(message: string, values: Record<string, string>): string;
}

/**
 * @param wanted language tags by preference; need not be valid
 * @param timeZone the fan's, as the browser names it; UTC where there is no such zone
 */
export function receiptWords(wanted: readonly string[], timeZone: string | undefined): ReceiptWords {
  const { catalogue: texts, locale } = chooseCatalogue(wanted, RECEIPTS);
  const { catalogue: page, language } = chooseCatalogue([locale], PAGES);
  const write = formatIn(language, page.direction);
  const moments = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: knownZone(timeZone ?? 'UTC'),
  });
  return {
    texts,
    page,
    locale,
    format: (message, values) => write(compile(message), values),
    formatMoment: (seconds) => moments.format(new Date(seconds * 1000)),
  };
}
