import type { SqlContext } from '../../platform/context.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { readHeldTickets, type TicketOptionRow } from './statements.ts';

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

export function toTicketOption(row: TicketOptionRow): TicketOption {
  return { ...row, id: idOf('tkt', row.id) };
}

/** The given tickets (by `uuid`) that the fan holds for future events, in the order of the Fan API. */
export async function grantedTickets(
  { pool, now }: SqlContext,
  fanId: Id<'usr'>,
  ticketIds: Uuid[],
): Promise<Map<Uuid, TicketOption>> {
  if (ticketIds.length === 0) return new Map();
  const rows = await readHeldTickets(pool, [ticketIds, uuidOf('usr', fanId), now()]);
  return new Map(rows.map((row) => [row.id, toTicketOption(row)]));
}
