import { lockOwnGrants, noSuchGrant, ownGrantUuid } from '../../oauth/grant/own-grants.ts';
import { eventTime } from '../../partners/client/event-time.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, idOf, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { futureTicketsFrom, TICKET_ORDER } from '../../tickets/ticket/future-tickets.ts';
import { checkTickets, type TicketChoice } from './check-tickets.ts';
import { holdTickets } from './hold-tickets.ts';
import { TICKET_OPTION_COLUMNS, type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

/**
 * Changes the tickets of a fan's live grants of one client, each with an audit entry, from the client's next call on.
 * @param grantIds grants that have ended stay as they are
 * @throws DomainError `invalid_selection` for a ticket outside of `ticketOptions`; `not_found` if none is a live grant of
 * the fan, or they belong to several clients
 */
export async function chooseTickets(
  context: Pick<Context, 'em' | 'pool' | 'now' | 'requestId'>,
  fanId: Id<'usr'>,
  grantIds: readonly string[],
  choice: TicketChoice,
): Promise<void> {
  const tickets = checkTickets(choice, await ticketOptions(context, fanId, grantIds));
  await context.em.fork().transactional(async (tx) => {
    await holdTickets(tx, fanId, tickets);
    const grants = await lockOwnGrants(tx, fanId, grantIds);
    if (new Set(grants.map(({ client }) => client.id)).size > 1) throw noSuchGrant();
    for (const grant of grants) {
      const before = { mode: grant.mode, tickets: grant.ticketIds.map((ticket) => idOf('tkt', ticket)) };
      grant.mode = choice.mode;
      grant.ticketIds = tickets.map((ticket) => uuidOf('tkt', ticket));
      const details = { before, after: { mode: choice.mode, tickets } };
      const fact = { actor: `fan:${fanId}`, action: 'grant.tickets_chosen', subject: grant.id, details } as const;
      recordAudit({ ...context, em: tx }, fact);
    }
  });
}

const readOptions = prepared<TicketOptionRow>(`
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, ${eventTime('$2::timestamptz', 'c')} as event_time from consent_grant g join client c on c.id = g.client_id
    where g.id = any($1) and g.fan_id = $3 and g.revoked_at is null limit 1
  )
  select ${TICKET_OPTION_COLUMNS}
  from ${futureTicketsFrom('viewer.event_time')}
  order by ${TICKET_ORDER}`);

/** The future tickets that a fan may put into live grants of one client, in the order of the Fan API; none for another fan's. */
export async function ticketOptions(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  fanId: Id<'usr'>,
  grantIds: readonly string[],
): Promise<TicketOption[]> {
  return (await readOptions(pool, [grantIds.map(ownGrantUuid), now(), uuidOf('usr', fanId)])).map(toTicketOption);
}
