import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';

/** A ticket as the fan sees it on the consent page, in the portal and in a receipt. */
export interface TicketOption {
  id: Id<'tkt'>;
  eventName: string;
  /** With the name of the seat, where it has one: `Stalls · Row 4, seat 7`. */
  ticketTypeName: string;
  /** ISO 8601, UTC. */
  startsAt: string;
  /** IANA name of the zone in which the fan reads it. */
  timeZone: string;
  venue: string | null;
  /** Until when it can be resold: ISO 8601, UTC; `never`; null where that is until its event ends. */
  resale: string | null;
}

/** The row from which a `TicketOption` is made. */
export type TicketOptionRow = Omit<TicketOption, 'id'> & { id: Uuid };

export function toTicketOption(row: TicketOptionRow): TicketOption {
  return { ...row, id: idOf('tkt', row.id) };
}
