import { useEffect, useRef } from 'preact/hooks';
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

/**
 * Moves the focus when one screen replaces another: to the field marked `data-focus-first`, otherwise to the heading, where the
 * new content starts. The browser handles the first screen.
 * @param screen name of the screen; undefined or `loading` while there is none
 */
export function useFocusOnChange(screen: string | undefined): void {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (screen === undefined || screen === 'loading') return;
    if (last.current !== undefined && last.current !== screen) {
      const first = document.querySelector<HTMLElement>('[data-focus-first]');
      (first ?? document.querySelector('h1'))?.focus();
    }
    last.current = screen;
  }, [screen]);
}
