/** Tickets grouped by event, and within it by type. */
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';
import type { EventStart } from './event-time.ts';
import { commonResale } from './resale.ts';

export type TicketRow = Pick<TicketOption, 'ticketTypeName' | 'resale'> & {
  id: string;
  position: number;
  ofType: number;
};
export type EventGroup = EventStart & { key: string; eventName: string; venue: string | null; rows: TicketRow[] };

/** Groups tickets by event and date; the events by date, the tickets of one type numbered from 1. */
export function groupTickets(tickets: readonly TicketOption[]): EventGroup[] {
  const byEvent = Map.groupBy(tickets, (ticket) => `${ticket.startsAt} ${ticket.eventName} ${ticket.venue ?? ''}`);
  const groups: EventGroup[] = [];
  for (const [key, ofEvent] of byEvent) {
    const [first] = ofEvent;
    if (first === undefined) continue;
    const byType = [...Map.groupBy(ofEvent, (ticket) => ticket.ticketTypeName)];
    const rows = byType.flatMap(([ticketTypeName, ofType]) =>
      ofType.map(({ id, resale }, index) => ({
        id,
        ticketTypeName,
        resale,
        position: index + 1,
        ofType: ofType.length,
      })),
    );
    const { eventName, startsAt, timeZone, venue } = first;
    groups.push({ key, eventName, startsAt, timeZone, venue, rows });
  }
  return groups.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
}

/** The types of an event's tickets, each with how many there are of it: `VIP × 2`. */
export function countedTypes(rows: readonly TicketRow[]): string[] {
  return rows
    .filter(({ position }) => position === 1)
    .map(({ ticketTypeName, ofType }) => (ofType > 1 ? `${ticketTypeName} ×\u00a0${ofType}` : ticketTypeName));
}

/** What limits the resale of tickets of an event, each with the types that it limits; undefined where it limits all. */
export function resaleNotes(rows: readonly TicketRow[]): { limit: string; types: string[] | undefined }[] {
  const common = commonResale(rows);
  if (common !== null) return [{ limit: common, types: undefined }];
  return [...Map.groupBy(rows, ({ resale }) => resale)].flatMap(([limit, limited]) =>
    limit === null ? [] : [{ limit, types: countedTypes(limited) }],
  );
}

/**
 * The tickets that a search finds, in order: each word occurs in the event, the venue or the type. Case, accents and the
 * width of letters make no difference. Tickets keep their numbers in the whole list.
 */
export function searchGroups(groups: readonly EventGroup[], query: string, locale: string): EventGroup[] {
  const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(locale);
  const words = plain(query).split(/\s+/).filter(Boolean);
  return groups.flatMap((group) => {
    const rows = group.rows.filter((row) => {
      const text = plain(`${group.eventName} ${group.venue ?? ''} ${row.ticketTypeName}`);
      return words.every((word) => text.includes(word));
    });
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
}
