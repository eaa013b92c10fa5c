/** What limits the resale of tickets, as fan pages show it. */
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';
import type { Texts } from '../texts/words.ts';
import { eventTime } from './event-time.ts';

type Limited = Pick<TicketOption, 'resale'>;

/** The limit that all the tickets have; null where they differ, or have none. */
export function commonResale(tickets: readonly Limited[]): string | null {
  const [first] = tickets;
  return tickets.every(({ resale }) => resale === first?.resale) ? (first?.resale ?? null) : null;
}

interface ResaleWords {
  texts: Pick<Texts, 'consent'>;
  locale: string;
  format(message: string, values: Record<string, string>): string;
}

/** A limit in words. @param timeZone of the event, in which the time is read */
export function describeResale(resale: string, timeZone: string, { texts, locale, format }: ResaleWords): string {
  if (resale === 'never') return format(texts.consent.resale, { limit: resale, time: '' });
  const limit = new Date(resale).getTime() <= Date.now() ? 'over' : 'until';
  return format(texts.consent.resale, { limit, time: eventTime({ startsAt: resale, timeZone }, locale) });
}
