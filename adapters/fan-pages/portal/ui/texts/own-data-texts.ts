/// <reference types="vite/types/importMeta.d.ts" />
import { useEffect, useState } from 'preact/hooks';
import type en from '../../../own-data/texts/en.json';
import { byLanguage, chooseCatalogue } from '../../../page-kit/languages.ts';

export type OwnDataTexts = typeof en;

const catalogues = byLanguage(import.meta.glob<OwnDataTexts>('../../../own-data/texts/*.json', { import: 'default' }));

/** The words of copying and leaving, loaded apart from the page's; undefined until they are there. */
export function useOwnDataTexts(): OwnDataTexts | undefined {
  const [texts, setTexts] = useState<OwnDataTexts>();
  useEffect(() => {
    chooseCatalogue(navigator.languages, catalogues)
      .catalogue()
      .then(setTexts, () => undefined);
  }, []);
  return texts;
}
