import { chooseLocale } from '../languages.ts';
import { strandedTexts } from '../texts/stranded-texts.ts';

/** The page came, its words did not. Only a reload tries again for sure: browsers remember that an import failed. */
export function Stranded() {
  const { language } = chooseLocale(navigator.languages);
  const { title, retry } = strandedTexts[language];
  return (
    <main class="card narrow">
      <div class="panel" lang={language}>
        <span class="mark" aria-hidden="true" />
        <h1>{title}</h1>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {retry}
        </button>
      </div>
    </main>
  );
}
