import type { SqlContext } from '../../platform/context.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { readHeldTickets } from './statements.ts';
import { type TicketOption, toTicketOption } from './ticket-option.ts';

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
