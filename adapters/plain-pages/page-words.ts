import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import Negotiator from 'negotiator';
import { chooseLocale, type Language } from '../page-kit/languages.ts';
import kitDe from '../page-kit/texts/de.json' with { type: 'json' };
import kitEn from '../page-kit/texts/en.json' with { type: 'json' };
import kitEs from '../page-kit/texts/es.json' with { type: 'json' };
import { formatIn } from '../page-kit/texts/format-message.ts';
import kitFr from '../page-kit/texts/fr.json' with { type: 'json' };
import kitJa from '../page-kit/texts/ja.json' with { type: 'json' };
import kitPt from '../page-kit/texts/pt.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** The words of the pages that the server writes, in one language. Its messages are ICU: show them by `format`. */
export interface PageWords {
  texts: typeof en;
  /** The line above every fan page and the links below it, which the built pages have too. */
  operator: typeof kitEn.operator;
  /** BCP 47 */
  locale: string;
  format(message: string, values?: Record<string, string | number>): string;
}

const CATALOGUES: Record<Language, Pick<PageWords, 'texts' | 'operator'>> = {
  en: { texts: en, operator: kitEn.operator },
  es: { texts: es, operator: kitEs.operator },
  fr: { texts: fr, operator: kitFr.operator },
  de: { texts: de, operator: kitDe.operator },
  pt: { texts: pt, operator: kitPt.operator },
  ja: { texts: ja, operator: kitJa.operator },
};

/** Of messages in our catalogues only, so that it can't grow without end. */
const compiled = new Map<string, CompiledMessage>();

function compiledOf(message: string): CompiledMessage {
  const known = compiled.get(message) ?? compile(message);
  compiled.set(message, known);
  return known;
}

/** What a request says about the fan's language. */
export interface Wishes {
  /** What the app asked for, by preference. @see OpenID Connect Core 1.0 §3.1.2.1 */
  uiLocales?: string | null | undefined;
  /** The header field of the browser. @see RFC 9110 §12.5.4 */
  acceptLanguage?: string | undefined;
}

/** More languages than anybody speaks are not looked at. */
const MOST_WISHES = 20;
/** A longer wish is ignored, as in an authorize request. */
const UI_LOCALES_LENGTH = 512;

/** The words of a page: first the app's wish counts, then the browser's; English where neither is among the languages. */
export function wordsFor({ uiLocales, acceptLanguage }: Wishes = {}): PageWords {
  const asked = uiLocales && uiLocales.length <= UI_LOCALES_LENGTH ? uiLocales.split(' ') : [];
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage ?? '' } }).languages();
  const { language, locale } = chooseLocale([...asked.slice(0, MOST_WISHES), ...accepted.slice(0, MOST_WISHES)]);
  const write = formatIn(language);
  return {
    ...CATALOGUES[language],
    locale,
    format: (message, values = {}) => write(compiledOf(message), values),
  };
}
