import { chooseLocale, type Language } from '../../page-kit/languages.ts';
import pageDe from '../../page-kit/texts/de.json' with { type: 'json' };
import pageEn from '../../page-kit/texts/en.json' with { type: 'json' };
import pageEs from '../../page-kit/texts/es.json' with { type: 'json' };
import pageFr from '../../page-kit/texts/fr.json' with { type: 'json' };
import pageJa from '../../page-kit/texts/ja.json' with { type: 'json' };
import pagePt from '../../page-kit/texts/pt.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** What the texts of a receipt are in each language. They take no arguments, so they need no formatter here. */
const CATALOGUES: Record<Language, { texts: typeof en; page: typeof pageEn }> = {
  en: { texts: en, page: pageEn },
  es: { texts: es, page: pageEs },
  fr: { texts: fr, page: pageFr },
  de: { texts: de, page: pageDe },
  pt: { texts: pt, page: pagePt },
  ja: { texts: ja, page: pageJa },
};

/** The words of a receipt for one fan. */
export interface ReceiptWords {
  texts: typeof en;
  /** Of the fan pages: their actions have the same names here. */
  page: typeof pageEn;
  /** BCP 47. */
  locale: string;
  /** Date and time with the zone. @param seconds since the epoch */
  formatMoment(seconds: number): string;
}

/**
 * @param wanted language tags by preference; need not be valid
 * @param timeZone the fan's, as the browser names it; UTC where it is none
 */
export function receiptWords(wanted: readonly string[], timeZone: string | undefined): ReceiptWords {
  const { language, locale } = chooseLocale(wanted);
  const moments = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: usableZone(timeZone),
  });
  return {
    ...CATALOGUES[language],
    locale,
    formatMoment: (seconds) => moments.format(new Date(seconds * 1000)),
  };
}

function usableZone(timeZone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
