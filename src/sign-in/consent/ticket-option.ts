import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';

/** A ticket in the fan's choice. */
export interface TicketOption {
  id: Id<'tkt'>;
  eventName: string;
  ticketTypeName: string;
  /** ISO 8601, UTC. */
  startsAt: string;
  /** IANA name of the zone in which the fan reads it. */
  timeZone: string;
  venue: string | null;
}

/** What `TICKET_OPTION_COLUMNS` selects. */
export interface TicketOptionRow {
  id: Uuid;
  event_name: string;
  ticket_type_name: string;
  starts_at: string;
  time_zone: string;
  venue: string | null;
}

/** Over `ticket t`, `ticket_type tt` and `event e`. */
export const TICKET_OPTION_COLUMNS = `t.id, e.name as event_name, tt.name as ticket_type_name, e.venue, e.time_zone,
  to_char(e.starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at`;

export function toTicketOption(row: TicketOptionRow): TicketOption {
  return {
    id: idOf('tkt', row.id),
    eventName: row.event_name,
    ticketTypeName: row.ticket_type_name,
    startsAt: row.starts_at,
    timeZone: row.time_zone,
    venue: row.venue,
  };
}
