import { useEffect } from 'preact/hooks';
import type { Words } from './texts/words.ts';

/** Runs on arrival, and again when "back" brings the page from the browser's cache. */
export function useArrival(load: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per arrival
  useEffect(() => {
    load();
    const onReturn = (event: PageTransitionEvent) => (event.persisted ? load() : undefined);
    addEventListener('pageshow', onReturn);
    return () => removeEventListener('pageshow', onReturn);
  }, []);
}

/** Sets the language and writing direction of the document. */
export function useDocumentLanguage(words: Words | undefined): void {
  useEffect(() => {
    if (words === undefined) return;
    document.documentElement.lang = words.locale;
    document.documentElement.dir = words.texts.direction;
  }, [words]);
}
