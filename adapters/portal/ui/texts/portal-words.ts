/** The words of one fan at the portal: its own catalogue, and that of the login pages, whose parts it shows. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { chooseLocale, type Language } from '../../../page-kit/languages.ts';
import { loadWords, type Words } from '../../../page-kit/texts/load-words.ts';
import type { PortalTexts } from './texts.ts';

export type PortalWords = { texts: PortalTexts; shared: Words };

const catalogues: Record<Language, () => Promise<{ texts: PortalTexts }>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  pt: () => import('./pt.ts'),
  ja: () => import('./ja.ts'),
};

/** Loads both catalogues in the browser's language. */
export async function loadPortalWords(): Promise<PortalWords> {
  const { language } = chooseLocale(navigator.languages);
  const [{ texts }, shared] = await Promise.all([catalogues[language](), loadWords(null)]);
  const { phone, code } = shared.texts;
  return {
    texts,
    shared: {
      ...shared,
      // a code goes out only where the number is a fan's, which must not be told
      texts: {
        ...shared.texts,
        phone: { ...phone, detail: texts.phoneDetail },
        code: { ...code, sentTo: texts.sentTo },
      },
    },
  };
}

/** Set once the catalogues are there; nothing that has words is shown before. */
export const PortalWordsContext = createContext<PortalWords | undefined>(undefined);

export function usePortalWords(): PortalWords {
  const words = useContext(PortalWordsContext);
  if (words === undefined) throw new Error('shown before the texts were loaded');
  return words;
}
