import { countIn, durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const count = countIn('de');
const duration = durationIn('de');

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'Dein Fan-Konto sehen', detail: 'Die allgemeinen Angaben zu deinem Konto.' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'Deine Tickets sehen',
      detail: 'Veranstaltung, Ticketart und Kaufdatum deiner kommenden Tickets.',
    },
    'fan:listings:read': {
      kind: 'see',
      title: 'Deine Angebote sehen',
      detail: 'Welche deiner Tickets zum Verkauf stehen.',
    },
    'fan:profile:read': { kind: 'see', title: 'Dein Profil sehen', detail: 'Die Angaben in deinem Fan-Profil.' },
    'fan:waitlist:read': {
      kind: 'see',
      title: 'Deine Wartelisten sehen',
      detail: 'Die Veranstaltungen, auf deren Warteliste du stehst.',
    },
    'fan:cart:read': {
      kind: 'see',
      title: 'Deinen Warenkorb sehen',
      detail: 'Die Tickets, die du in den Warenkorb gelegt hast.',
    },
    'fan:write': {
      kind: 'act',
      title: 'Dein Fan-Konto ändern',
      detail: 'Allgemeine Einstellungen deines Kontos ändern.',
    },
    'fan:tickets:write': {
      kind: 'act',
      title: 'Deine Tickets verwalten',
      detail: 'Änderungen an deinen Tickets für dich vornehmen.',
    },
    'fan:listings:write': {
      kind: 'act',
      title: 'Deine Tickets zum Verkauf anbieten',
      detail: 'Tickets in deinem Namen anbieten und wieder aus dem Verkauf nehmen.',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'Tickets für dich abholen',
      detail: 'Tickets, die dir übertragen wurden, in dein Konto holen.',
    },
    'fan:profile:write': {
      kind: 'act',
      title: 'Dein Profil bearbeiten',
      detail: 'Die Angaben in deinem Fan-Profil ändern.',
    },
    'fan:waitlist:write': {
      kind: 'act',
      title: 'Dich auf Wartelisten setzen',
      detail: 'Dich auf eine Warteliste setzen oder wieder herunternehmen.',
    },
    'fan:cart:write': {
      kind: 'act',
      title: 'Deinen Warenkorb füllen',
      detail: 'Tickets in den Warenkorb legen oder herausnehmen.',
    },
  },
  ended: {
    session_not_found: {
      title: 'Dieser Anmeldelink funktioniert nicht',
      detail: 'Er ist unvollständig oder gehört zu einer längst beendeten Anmeldung. Niemand wurde angemeldet.',
    },
    session_expired: {
      title: 'Diese Anmeldung ist abgelaufen',
      detail: 'Zu deiner Sicherheit bleibt eine Anmeldung nur kurze Zeit offen. Es wurde nichts weitergegeben.',
    },
    session_elsewhere: {
      title: 'Diese Anmeldung gehört zu einem anderen Browser',
      detail:
        'Eine Anmeldung gilt nur in dem Browser, in dem sie begonnen wurde. Hat dir jemand diesen Link geschickt, dann schließe diese Seite: Sonst könnte diese Person an deine Tickets kommen.',
    },
    too_many_tries: {
      title: 'Zu viele falsche Codes',
      detail: 'Zum Schutz deines Kontos wurde diese Anmeldung beendet. Es wurde nichts weitergegeben.',
    },
    fan_stopped: {
      title: 'Die Anmeldung mit dieser Nummer ist gesperrt',
      detail:
        'Du kannst dich damit zurzeit nicht anmelden. Bitte wende dich an den Support der App, aus der du kommst. Es wurde nichts weitergegeben.',
    },
    done: {
      title: 'Hier ist alles erledigt',
      detail: 'Diese Anmeldung ist abgeschlossen. Du kannst die Seite schließen.',
    },
  },
  failures: {
    wrong_step: () => 'Dieser Schritt war schon erledigt. Die Seite zeigt jetzt, wo du stehst.',
    invalid_phone: () =>
      'An diese Nummer kann kein Code gesendet werden. Bitte prüfe sie oder verwende eine andere Nummer.',
    resend_too_soon: (seconds = 30) => `Du kannst in ${duration(seconds)} einen neuen Code anfordern.`,
    wrong_code: () => 'Dieser Code stimmt nicht.',
    code_expired: () => 'Dieser Code ist abgelaufen. Fordere einen neuen an.',
    invalid_selection: () => 'Eines der Tickets ist nicht mehr da. Prüfe deine Auswahl und versuche es noch einmal.',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'Für diese Anmeldung können keine weiteren Codes gesendet werden. Brich sie ab und beginne in der App neu.'
        : `Das waren viele Versuche. Bitte warte ${duration(seconds)}.`,
    verification_unavailable: (seconds = 60) =>
      `Codes können gerade nicht gesendet oder geprüft werden. Bitte versuche es in ${duration(seconds)} noch einmal.`,
    unavailable: (seconds = 60) =>
      `Das ist gerade nicht möglich. Bitte versuche es in ${duration(seconds)} noch einmal.`,
    internal: () => 'Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal.',
    unreachable: () => 'Keine Verbindung. Prüfe dein Internet und versuche es noch einmal.',
  },
  sandbox: {
    name: 'Sandbox',
    detail: 'Nur für Testnutzer. Es wird keine SMS gesendet und kein echtes Ticket angerührt.',
  },
  lead: 'möchte sich mit deinem Fan-Konto verbinden',
  progress: 'Fortschritt',
  steps: { phone: 'Telefon', code: 'Code', consent: 'Deine Wahl' },
  loading: 'Einen Moment',
  failed: 'Diese Anmeldung konnte nicht geladen werden',
  retry: 'Noch einmal versuchen',
  cancel: (client) => `Abbrechen und zurück zu ${client}`,
  caution: (client) => `Mach nur weiter, wenn du selbst von ${client} hierher gekommen bist.`,
  leaving: (client) => `Es geht zurück zu ${client}`,
  back: (client) => `Zurück zu ${client}`,
  startAgain: (client) =>
    client === undefined
      ? 'Geh zurück zu der App, aus der du kommst, und beginne neu.'
      : `Geh zurück zu ${client} und beginne neu.`,
  goBack: (client) => `Geh zurück zu ${client}, um weiterzumachen.`,
  closingSoon: 'Zu deiner Sicherheit endet diese Anmeldung in weniger als einer Minute.',
  phone: {
    title: 'Mit deinem Telefon anmelden',
    detail: 'Wir senden dir einen Code, um sicher zu sein, dass du es bist.',
    sandboxDetail: 'Gib die Telefonnummer eines Sandbox-Testnutzers ein.',
    country: 'Land',
    chooseCountry: 'Land wählen',
    label: 'Mobilnummer',
    hint: 'Anderes Land? Wähle es aus oder beginne mit + und der Vorwahl.',
    submit: 'Weiter',
    busy: 'Code wird gesendet',
    incomplete: 'Das ist keine vollständige Telefonnummer. Prüfe das Land und die Ziffern.',
  },
  code: {
    title: 'Gib deinen Code ein',
    sentTo: 'Wir haben einen 6-stelligen Code gesendet an',
    sandboxDetail: 'Gib den 6-stelligen Code des Testnutzers ein mit der Nummer',
    label: '6-stelliger Code',
    incomplete: 'Der Code hat 6 Ziffern.',
    triesLeft: (n) => `Noch ${count(n, 'Versuch', 'Versuche')}.`,
    submit: 'Bestätigen',
    busy: 'Code wird geprüft',
    resend: 'Neuen Code senden',
    resendIn: (seconds) => `Neuer Code in ${seconds} s`,
    resent: 'Ein neuer Code ist unterwegs.',
    sandboxResent: 'Der Code des Testnutzers bleibt derselbe.',
    changeNumber: 'Andere Nummer verwenden',
  },
  consent: {
    title: 'Wähle, was du erlaubst',
    detail: (client) =>
      `Nimm das Häkchen weg bei allem, was ${client} nicht sehen oder tun soll. Bis du zustimmst, wird nichts weitergegeben.`,
    plainTitle: (client) => `Weiter zu ${client}`,
    plainDetail: (client) =>
      `${client} erfährt, dass du ein Fan-Konto hast, und dessen Kennung. Zugriff auf deine Tickets gibt es nicht.`,
    plainSubmit: 'Weiter',
    plainDeny: 'Abbrechen',
    see: 'Das darf die App sehen',
    act: 'Das darf die App für dich tun',
    otherDetail: 'Eine Berechtigung dieser App.',
    tickets: 'Für welche Tickets?',
    all: 'Alle jetzigen und künftigen Tickets',
    allDetail: (tickets) =>
      tickets === 0
        ? 'Du hast im Moment keine kommenden Tickets. Spätere Tickets gehören ohne neue Nachfrage dazu.'
        : `${count(tickets, 'Ticket', 'Tickets')} jetzt und ohne neue Nachfrage jedes Ticket, das du später bekommst.`,
    selected: 'Nur ausgewählte Tickets',
    selectedDetail: 'Du wählst jedes einzeln aus. Spätere Tickets bleiben privat.',
    noneToSelect: 'Du hast keine kommenden Tickets zur Auswahl.',
    search: 'Deine Tickets durchsuchen',
    noneFound: 'Kein passendes Ticket.',
    selectAll: 'Alle auswählen',
    selectNone: 'Keine auswählen',
    selectFound: 'Diese auswählen',
    deselectFound: 'Diese abwählen',
    selectedCount: (selected, all) => `${selected} von ${all} ausgewählt`,
    ticketNumber: (position, all) => `Ticket ${position} von ${all}`,
    chooseAction: 'Setze mindestens ein Häkchen oder wähle „Ablehnen“.',
    chooseTicket: 'Wähle mindestens ein Ticket oder „Alle jetzigen und künftigen Tickets“.',
    submit: 'Erlauben',
    deny: 'Ablehnen',
    busy: 'Einen Moment',
  },
};
