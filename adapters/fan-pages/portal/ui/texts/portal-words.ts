/// <reference types="vite/types/importMeta.d.ts" />
/** The words of one fan at the portal: its own catalogue beside that of the login pages, whose parts it shows. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { byLanguage, chooseCatalogue } from '../../../page-kit/languages.ts';
import { loadWords, type Words } from '../../../page-kit/texts/words.ts';
import type en from './en.json';

export type PortalTexts = typeof en;
export type PortalWords = Words & { portal: PortalTexts };

const catalogues = byLanguage(import.meta.glob<PortalTexts>('./*.json', { import: 'default' }));

/** Loads both catalogues in the browser's language. */
export async function loadPortalWords(): Promise<PortalWords> {
  const { catalogue } = chooseCatalogue(navigator.languages, catalogues);
  const [portal, words] = await Promise.all([catalogue(), loadWords(null)]);
  const { phone, code } = words.texts;
  const texts = {
    ...words.texts,
    phone: { ...phone, detail: portal.phoneDetail },
    // a code is sent only to the number of a fan; the page must not reveal which numbers those are
    code: { ...code, sentTo: portal.sentTo },
  };
  return { ...words, texts, portal };
}

/** Set once the catalogues are there; nothing that has words is shown before. */
export const PortalWordsContext = createContext<PortalWords | undefined>(undefined);

export function usePortalWords(): PortalWords {
  const words = useContext(PortalWordsContext);
  if (words === undefined) throw new Error('shown before the texts were loaded');
  return words;
}
