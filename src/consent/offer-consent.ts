import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { uuidOf } from '../identifier/type-id.ts';
import { type Action, actionsOf } from '../oauth/scopes.ts';
import { futureTicketsFrom, TICKET_ORDER } from '../ticket/future-tickets.ts';
import { TICKET_OPTION_COLUMNS, type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

/** What a fan may grant. */
export interface ConsentOffer {
  /** Requested by the partner. */
  actions: Action[];
  /** The fan's future tickets, in the order of the Fan API. */
  tickets: TicketOption[];
}

const readOptions = prepared<TicketOptionRow>(`
  with viewer as (
    select s.fan_id, c.partner_id, c.mode from authorization_session s join client c on c.id = s.client_id where s.id = $1
  )
  select ${TICKET_OPTION_COLUMNS}
  from ${futureTicketsFrom('$2')}
  order by ${TICKET_ORDER}`);

/** @throws DomainError `wrong_step` before the phone is verified, and afterwards */
export async function offerConsent(
  context: Pick<Context, 'pool' | 'now'>,
  session: OpenSession,
): Promise<ConsentOffer> {
  requireStep(session, 'consent');
  return readOffer(context, session);
}

/** What the fan of a session may grant, or could. */
export async function readOffer(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  session: OpenSession,
): Promise<ConsentOffer> {
  const rows = await readOptions(pool, [uuidOf('sess', session.id), now()]);
  return { actions: actionsOf(session.scope.split(' ')), tickets: rows.map(toTicketOption) };
}
