/** The start of an event in the venue's local time. */
export type EventStart = {
  /** ISO 8601, UTC. */
  startsAt: string;
  /** IANA name of the venue's zone. */
  timeZone: string;
};

const TIME: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
};

/** A language has short names only for the zones of its countries: `CET` is British English, `EST` American. */
const NAMING_LOCALES = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA', 'ja', 'pt-BR'];

/** What `Intl` writes where a language has no name: `GMT+1`, in French `UTC+1`. */
const OFFSET = /^(?:GMT|UTC)[+\u2212-]/;

/** `Sat, 5 Dec 2026, 20:00 CET`: in the event's zone, with its name. */
export function eventTime(event: EventStart, locale: string): string {
  const at = new Date(event.startsAt);
  const timeZone = knownZone(event.timeZone);
  return `${new Intl.DateTimeFormat(locale, { ...TIME, timeZone }).format(at)} ${nameOfZone(at, timeZone, locale)}`;
}

/** The zone, or UTC where this runtime has no zone of that name: an old browser may lack one that the server has. */
export function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}

/** The zone's short name at that time of the year; the offset where no language has one. */
function nameOfZone(at: Date, timeZone: string, locale: string): string {
  const nameIn = (language: string) =>
    new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  const names = [locale, ...NAMING_LOCALES].map(nameIn);
  return names.find((name) => !OFFSET.test(name)) ?? nameIn('en');
}
