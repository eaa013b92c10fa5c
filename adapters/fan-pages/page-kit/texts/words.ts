/// <reference types="vite/types/importMeta.d.ts" />
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Failure, isEnding } from '../failure.ts';
import { byLanguage, chooseCatalogue } from '../languages.ts';
import type en from './en.json';
import { type Format, formatIn } from './format-message.ts';

/** The type of the English catalogue; a test compares the others with it. */
export type Texts = typeof en;

/** The texts of one fan: the catalogue of their language, loaded on its own, and what formats it. */
export type Words = {
  texts: Texts;
  /** BCP 47, with the fan's region where they named one: `de-AT`. Dates, names of countries and `lang` follow it. */
  locale: string;
  format: Format;
  /** The text for a failure; undefined for one that ends the sign-in, which changes the whole page. */
  explainFailure: (failure: Failure, about?: FailureSubject) => string | undefined;
};

/** Whom a failure is about: a number as it is shown, and the partner whose sandbox has no such test user. */
type FailureSubject = { phone: string; partner: string };

const catalogues = byLanguage(import.meta.glob<Texts>('./*.json', { import: 'default' }));

/** Seconds to wait where the server names none. */
const USUAL_WAIT: Partial<Record<Failure['reason'], number>> = {
  resend_too_soon: 30,
  verification_unavailable: 60,
  unavailable: 60,
};

/**
 * Loads the words for a sign-in.
 * @param uiLocales what the partner asked for, by preference; the browser's languages come after it
 * @see OpenID Connect Core 1.0 §3.1.2.1 (`ui_locales`)
 */
export async function loadWords(uiLocales: string | null | undefined): Promise<Words> {
  const wanted = [...(uiLocales?.split(' ') ?? []), ...navigator.languages];
  const { catalogue, language, locale } = chooseCatalogue(wanted, catalogues);
  const texts = await catalogue();
  const format = formatIn(language, texts.direction);
  const formatDuration = durationIn(language);
  return {
    texts,
    locale,
    format,
    explainFailure({ reason, retryAfter = USUAL_WAIT[reason] }, about = { phone: '', partner: '' }) {
      if (isEnding(reason)) return undefined;
      const duration = retryAfter === undefined ? 'none' : formatDuration(retryAfter);
      return format(texts.failures[reason], { duration, ...about });
    },
  };
}

/** Set once the catalogue is there; nothing that has words is shown before. */
export const WordsContext = createContext<Words | undefined>(undefined);

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) throw new Error('shown before the texts were loaded');
  return words;
}

export const useTexts = (): Texts => useWords().texts;

/** A time to wait, rounded up: seconds up to a minute, then whole minutes, then whole hours. */
export function durationIn(language: string): (seconds: number) => string {
  const write = (n: number, unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(n));
  return (seconds) => {
    if (seconds < 60) return write(seconds, 'second');
    return seconds < 5400 ? write(seconds / 60, 'minute') : write(seconds / 3600, 'hour');
  };
}
