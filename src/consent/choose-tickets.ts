import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { GrantMode } from '../entities/consent-grant.ts';
import { noSuchGrant, ownGrantUuid } from '../grant/own-grants.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { futureTicketsFrom, TICKET_ORDER } from '../ticket/future-tickets.ts';
import { checkTickets, type TicketChoice } from './check-tickets.ts';
import { holdTickets } from './hold-tickets.ts';
import { TICKET_OPTION_COLUMNS, type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

/**
 * Changes the tickets of a fan's live grant, with an audit entry. It applies from the client's next call.
 * @throws DomainError `invalid_selection` for a ticket outside of `ticketOptions`; `not_found` without such a live grant
 */
export async function chooseTickets(
  context: Pick<Context, 'em' | 'pool' | 'now' | 'requestId'>,
  fanId: Id<'usr'>,
  grantId: string,
  choice: TicketChoice,
): Promise<void> {
  const grant = ownGrantUuid(grantId);
  const tickets = checkTickets(choice, await ticketOptions(context, fanId, grantId));
  await context.em.fork().transactional(async (tx) => {
    await holdTickets(tx, fanId, tickets);
    const [before] = await tx.execute<{ mode: GrantMode; ticket_ids: Uuid[] }[]>(
      `with before as (
         select id, mode, ticket_ids from consent_grant
         where id = ? and fan_id = ? and revoked_at is null for no key update
       )
       update consent_grant g
       set mode = ?, ticket_ids = array(select value::uuid from jsonb_array_elements_text(?::jsonb))
       from before where g.id = before.id
       returning before.mode, to_jsonb(before.ticket_ids) as ticket_ids`,
      [grant, uuidOf('usr', fanId), choice.mode, JSON.stringify(tickets.map((ticket) => uuidOf('tkt', ticket)))],
    );
    if (!before) throw noSuchGrant();
    const details = {
      before: { mode: before.mode, tickets: before.ticket_ids.map((ticket) => idOf('tkt', ticket)) },
      after: { mode: choice.mode, tickets },
    };
    const fact = { actor: `fan:${fanId}`, action: 'grant.tickets_chosen', subject: grantId, details } as const;
    recordAudit({ ...context, em: tx }, fact);
  });
}

const readOptions = prepared<TicketOptionRow>(`
  with viewer as (
    select g.fan_id, c.partner_id, c.mode from consent_grant g join client c on c.id = g.client_id
    where g.id = $1 and g.fan_id = $3 and g.revoked_at is null
  )
  select ${TICKET_OPTION_COLUMNS}
  from ${futureTicketsFrom('$2')}
  order by ${TICKET_ORDER}`);

/** The future tickets that a fan may put into a live grant, in the order of the Fan API; none for another's grant. */
export async function ticketOptions(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  fanId: Id<'usr'>,
  grantId: string,
): Promise<TicketOption[]> {
  return (await readOptions(pool, [ownGrantUuid(grantId), now(), uuidOf('usr', fanId)])).map(toTicketOption);
}
