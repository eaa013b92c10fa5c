import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import Negotiator from 'negotiator';
import { chooseCatalogue } from '../page-kit/languages.ts';
import type kitEn from '../page-kit/texts/en.json';
import { formatIn } from '../page-kit/texts/format-message.ts';
import { readCatalogues } from '../page-kit/texts/read-catalogues.ts';
import type en from './texts/en.json';

/** The words of the pages that the server writes, in one language. Its messages are ICU: show them by `format`. */
export interface PageWords {
  texts: typeof en;
  /** The line above every fan page and the links below it, which the built pages have too. */
  operator: (typeof kitEn)['operator'];
  /** BCP 47 */
  locale: string;
  format(message: string, values?: Record<string, string | number>): string;
}

const PAGES = readCatalogues<typeof en>(new URL('./texts/', import.meta.url));
const KIT = readCatalogues<typeof kitEn>(new URL('../page-kit/texts/', import.meta.url));

/** Has messages of our catalogues only, so that it can't grow without limit. */
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

/** Further languages are ignored: nobody speaks more. */
const MOST_WISHES = 20;
/** A longer wish is ignored, as in an authorize request. */
const UI_LOCALES_LENGTH = 512;

/** The words of a page: first the app's wish counts, then the browser's; English where neither is among the languages. */
export function wordsFor({ uiLocales, acceptLanguage }: Wishes = {}): PageWords {
  const asked = uiLocales && uiLocales.length <= UI_LOCALES_LENGTH ? uiLocales.split(' ') : [];
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage ?? '' } }).languages();
  const wanted = [...asked.slice(0, MOST_WISHES), ...accepted.slice(0, MOST_WISHES)];
  const { catalogue: texts, language, locale } = chooseCatalogue(wanted, PAGES);
  const { operator } = chooseCatalogue([locale], KIT).catalogue;
  const write = formatIn(language, texts.direction);
  return { texts, operator, locale, format: (message, values = {}) => write(compiledOf(message), values) };
}
