import { chooseLocale, type Language } from '../languages.ts';

/** The texts of this screen, which is shown when no catalogue could be loaded. */
const TEXTS: Record<Language, { title: string; retry: string }> = {
  en: { title: 'No connection', retry: 'Try again' },
  es: { title: 'Sin conexión', retry: 'Intentar de nuevo' },
  fr: { title: 'Pas de connexion', retry: 'Réessayer' },
  de: { title: 'Keine Verbindung', retry: 'Noch einmal versuchen' },
  pt: { title: 'Sem conexão', retry: 'Tentar de novo' },
  ja: { title: '接続できません', retry: 'もう一度試す' },
};

/** Shown when the texts could not be loaded. It reloads the page, because browsers cache a failed import. */
export function NoConnection() {
  const { language } = chooseLocale(navigator.languages);
  const { title, retry } = TEXTS[language];
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
