import { countIn } from '../../../page-kit/texts/plural.ts';
import type { PortalTexts } from './texts.ts';

const count = countIn('de');
const tickets = (n: number): string => count(n, 'Ticket', 'Tickets');

export const texts: PortalTexts = {
  title: 'Apps mit Zugriff auf deine Tickets',
  detail: 'Sieh, was jede App in deinem Namen darf, ändere es oder beende es. Jede Änderung gilt sofort.',
  phoneDetail: 'Sieh und ändere, was du Apps erlaubt hast. Wir senden einen Code, wenn deine Nummer hier bekannt ist.',
  sentTo: 'Wenn sie hier bekannt ist, kommt ein 6-stelliger Code an',
  signedInAs: 'Angemeldet mit',
  signOut: 'Abmelden',
  signedOut: 'Du bist abgemeldet.',
  away: 'Du warst eine Weile weg. Bitte melde dich neu an.',
  failed: 'Diese Seite konnte nicht geladen werden',
  none: { title: 'Keine App hat Zugriff', detail: 'Wenn du eine App mit deinen Tickets verbindest, steht sie hier.' },
  modes: { sandbox: 'Sandbox', production: 'Echt' },
  since: 'Seit',
  lastUsed: 'Zuletzt benutzt',
  neverUsed: 'nicht in den letzten 30 Tagen',
  may: 'Sie darf',
  mayNothing: 'Nichts, außer zu wissen, dass du hier ein Konto hast.',
  takeBack: 'Zurücknehmen',
  takenBack: (action, client) => `${client} darf das nicht mehr: ${action}.`,
  tickets: 'Tickets',
  all: 'Alle jetzigen und künftigen Tickets',
  noTickets: 'Keine. Die gewählten Tickets sind weg oder vorbei.',
  change: 'Tickets ändern',
  save: 'Speichern',
  saved: 'Gespeichert. Es gilt ab jetzt.',
  cancel: 'Abbrechen',
  receipt: 'Beleg herunterladen',
  end: 'Zugriff beenden',
  endTitle: (client) => `Zugriff von ${client} beenden?`,
  endDetail: (client) =>
    `${client} kann ab sofort nichts mehr in deinem Namen tun. Um die App wieder zu nutzen, melde dich dort neu an.`,
  ended: (client) => `Der Zugriff von ${client} ist beendet.`,
  gone: 'Dieser Zugriff war schon beendet.',
  endAll: 'Alle Zugriffe beenden',
  endAllTitle: 'Den Zugriff aller Apps beenden?',
  endAllDetail:
    'Keine App kann ab sofort noch etwas in deinem Namen tun. Du kannst jede wieder verbinden, indem du dich dort anmeldest.',
  endedAll: 'Alle Zugriffe sind beendet.',
  busy: 'Einen Moment',
  history: {
    title: 'Was geschehen ist',
    empty: 'Noch nichts.',
    older: 'Ältere zeigen',
    signed: 'Was unterschrieben wurde',
    granted: (client, { grantMode, tickets: n }) =>
      `Du hast ${client} Zugriff auf ${grantMode === 'selected' ? tickets(n) : 'alle deine jetzigen und künftigen Tickets'} gegeben.`,
    takenBack: (client, actions) => `Du hast ${client} das wieder genommen: ${actions}.`,
    chosen: (client, { grantMode, tickets: n }) =>
      `Du hast die Tickets für ${client} geändert: ${grantMode === 'selected' ? tickets(n) : 'alle jetzigen und künftigen'}.`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `${tickets(n)} nicht mehr im Zugriff von ${client}, weil die Veranstaltung vorbei ist.`
        : `${tickets(n)} nicht mehr im Zugriff von ${client}, weil du ${n === 1 ? 'es' : 'sie'} nicht mehr hast.`,
    ended: {
      fan: (client) => `Du hast den Zugriff von ${client} beendet.`,
      app: (client) => `${client} hat den Zugriff zurückgegeben.`,
      service: (client) => `Wir haben den Zugriff von ${client} zu deinem Schutz beendet.`,
    },
    listed: (client, ticket) => `${client} hat ein Verkaufsangebot deines Tickets unterschreiben lassen: ${ticket}.`,
    unlisted: (client, ticket) => `${client} hat das Ende eines Angebots unterschreiben lassen: ${ticket}.`,
    claims: {
      pending: (client, ticket) => `${client} holt ein Ticket für dich ab: ${ticket}.`,
      submitted: (client, ticket) => `${client} holt ein Ticket für dich ab: ${ticket}.`,
      confirmed: (client, ticket) => `${client} hat ein Ticket für dich abgeholt: ${ticket}.`,
      failed: (client, ticket) => `${client} konnte ein Ticket nicht für dich abholen: ${ticket}.`,
    },
    tried: {
      'tickets.list': (client) => `${client} wollte deine Tickets sehen.`,
      'listings.sign': (client) => `${client} wollte ein Ticket anbieten oder ein Angebot zurückziehen.`,
      'claims.execute': (client) => `${client} wollte ein Ticket für dich abholen.`,
      'token.refresh': (client) => `${client} wollte den Zugriff erneuern.`,
    },
    refused: {
      ended: 'Das wurde abgelehnt, weil der Zugriff beendet war.',
      notAllowed: 'Das wurde abgelehnt, weil du es nicht erlaubt hattest.',
      notFound: 'Das wurde abgelehnt, weil du dieses Ticket nicht freigegeben hast.',
      rule: 'Das wurde abgelehnt, weil die Anfrage gegen eine Regel verstieß.',
    },
    times: (n) => `${n}-mal innerhalb einer Stunde.`,
  },
};
