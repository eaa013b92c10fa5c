/** Every time zone that this browser knows, its own and UTC among them. */
export function timeZones(): string[] {
  return [...new Set([ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** IANA name of the zone that the browser is set to. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The moment at which the clocks of a zone show a time. Of an hour that they skip, an hour later.
 * @param local the value of a `datetime-local` field: `2026-12-05T20:00`
 */
export function momentIn(timeZone: string, local: string): Date {
  const shown = Date.parse(`${local}Z`);
  // twice: the first guess may lie on the other side of a change of the clocks
  const guess = shown - offsetAt(shown, timeZone);
  return new Date(shown - offsetAt(guess, timeZone));
}

/** Milliseconds by which a zone is ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  // Swedish writes ISO 8601: `2026-12-05 20:00:00`
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000;
}

/** What the clocks of a zone show at a moment, as the value of a `datetime-local` field. */
export function localIn(timeZone: string, at: string): string {
  const moment = Date.parse(at);
  return new Date(moment + offsetAt(moment, timeZone)).toISOString().slice(0, 16);
}
