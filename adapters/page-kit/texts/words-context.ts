import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Words } from './load-words.ts';
import type { Texts } from './texts.ts';

/** Set once the catalogue is there; nothing that has words is shown before. */
export const WordsContext = createContext<Words | undefined>(undefined);

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) throw new Error('shown before the texts were loaded');
  return words;
}

export const useTexts = (): Texts => useWords().texts;
