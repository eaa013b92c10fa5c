/// <reference types="vite/types/importMeta.d.ts" />
import { byLanguage, chooseCatalogue } from '../languages.ts';
import type { Texts } from '../texts/words.ts';

/** The part of each catalogue that this screen needs, in the page itself: it is shown when no catalogue could be loaded. */
const OFFLINE = byLanguage(
  import.meta.glob<Pick<Texts, 'direction' | 'noConnection'>>('../texts/*.json', {
    query: '?offline',
    import: 'default',
    eager: true,
  }),
);

/** Shown when the texts could not be loaded. It reloads the page, because browsers cache a failed import. */
export function NoConnection() {
  const { catalogue, language } = chooseCatalogue(navigator.languages, OFFLINE);
  const { title, retry } = catalogue.noConnection;
  return (
    <main class="card narrow">
      <div class="panel" lang={language} dir={catalogue.direction as 'ltr' | 'rtl'}>
        <span class="mark" aria-hidden="true" />
        <h1>{title}</h1>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {retry}
        </button>
      </div>
    </main>
  );
}
