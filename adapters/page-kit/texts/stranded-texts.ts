import type { Language } from '../languages.ts';

/** The few words that come with the page itself, for when a catalogue could not be loaded. */
export const strandedTexts: Record<Language, { title: string; retry: string }> = {
  en: { title: 'No connection', retry: 'Try again' },
  es: { title: 'Sin conexión', retry: 'Intentar de nuevo' },
  fr: { title: 'Pas de connexion', retry: 'Réessayer' },
  de: { title: 'Keine Verbindung', retry: 'Noch einmal versuchen' },
  pt: { title: 'Sem conexão', retry: 'Tentar de novo' },
  ja: { title: '接続できません', retry: 'もう一度試す' },
};
