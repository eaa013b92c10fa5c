import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { TICKET_ORDER } from '../../tickets/ticket/future-tickets.ts';
import { TICKET_OPTION_COLUMNS, type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

const readTickets = prepared<TicketOptionRow>(`
  select ${TICKET_OPTION_COLUMNS}
  from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where t.id = any($1) and t.owner_id = $2 and e.ends_at > $3
  order by ${TICKET_ORDER}`);

/** Those of the tickets that the fan holds for future events by their `uuid`, in the order of the Fan API. */
export async function grantedTickets(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  fanId: Id<'usr'>,
  ticketIds: Uuid[],
): Promise<Map<Uuid, TicketOption>> {
  if (ticketIds.length === 0) return new Map();
  const rows = await readTickets(pool, [ticketIds, uuidOf('usr', fanId), now()]);
  return new Map(rows.map((row) => [row.id, toTicketOption(row)]));
}
