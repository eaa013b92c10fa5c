import { noSuchGrant, ownGrantUuid, type SalesChoice, salesKept } from '../../oauth/grant/own-grants.ts';
import type { Context, SqlContext } from '../../platform/context.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { type Id, idOf, uuidOf } from '../../platform/identifier/type-id.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';
import { checkTickets, holdTickets, type TicketChoice } from './check-tickets.ts';
import { changeTickets, lockLiveGrants, readTicketsOfGrants } from './statements.ts';
import { type TicketOption, toTicketOption } from './ticket-option.ts';

/**
 * Changes the tickets of a fan's live grants of one client, each with an audit entry, from the client's next call on.
 * @param grantIds grants that have ended stay as they are
 * @throws DomainError `invalid_selection` for a ticket outside of `ticketOptions`; `not_found` if none is a live grant of
 * the fan, or they belong to several clients
 */
export async function chooseTickets(
  context: Pick<Context, 'pool' | 'now' | 'requestId'>,
  fanId: Id<'usr'>,
  grantIds: readonly string[],
  choice: TicketChoice,
  sales: SalesChoice = {},
): Promise<void> {
  const { pool, now, requestId } = context;
  const tickets = checkTickets(choice, await ticketOptions(context, fanId, grantIds));
  const uuids = tickets.map((ticket) => uuidOf('tkt', ticket));
  await inTransaction(pool, async (client) => {
    await holdTickets(client, fanId, tickets);
    const grants = await lockLiveGrants(client, [grantIds.map(ownGrantUuid), uuidOf('usr', fanId)]);
    if (new Set(grants.map((grant) => grant.client_id)).size !== 1) throw noSuchGrant();
    const changes = grants.map(({ id, mode, ticket_ids: before }) => {
      const held = { mode, tickets: before.map((ticket) => idOf('tkt', ticket)) };
      const details: AuditDetails['grant.tickets_chosen'] = { before: held, after: { mode: choice.mode, tickets } };
      return { id, subject: idOf('grant', id), details };
    });
    const kept = salesKept(context, sales).salesKeptAt ?? null;
    await changeTickets(client, [JSON.stringify(changes), choice.mode, uuids, now(), `fan:${fanId}`, requestId, kept]);
  });
}

/** The future tickets that a fan may put into live grants of one client, in the order of the Fan API. Grants of other fans give none. */
export async function ticketOptions(
  { pool, now }: SqlContext,
  fanId: Id<'usr'>,
  grantIds: readonly string[],
): Promise<TicketOption[]> {
  return (await readTicketsOfGrants(pool, [grantIds.map(ownGrantUuid), now(), uuidOf('usr', fanId)])).map(
    toTicketOption,
  );
}
