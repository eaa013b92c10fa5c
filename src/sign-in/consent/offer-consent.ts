import { eventTime } from '../../partners/client/event-time.ts';
import { type Action, actionsOf } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { futureTicketsFrom, TICKET_ORDER } from '../../tickets/ticket/future-tickets.ts';
import { type OpenSession, requireStep, sessionFinder } from '../authorization/find-session.ts';
import { TICKET_OPTION_COLUMNS, type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

/** What a fan may grant. */
export interface ConsentOffer {
  /** Requested by the partner. */
  actions: Action[];
  /** The fan's future tickets, in the order of the Fan API. */
  tickets: TicketOption[];
}

/** SQL of the future tickets of the fan of `authorization_session s`, as its `client c` sees them. @param now SQL of the current time */
function ticketsOfSession(now: string): string {
  return `with viewer as (select s.fan_id, c.partner_id, c.mode)
    select ${TICKET_OPTION_COLUMNS} from ${futureTicketsFrom(now)} order by ${TICKET_ORDER}`;
}

/** Finds a session for `offerConsent`, with its tickets. */
export const findSessionToConsent = sessionFinder<TicketOptionRow[]>(
  `(select coalesce(json_agg(o), '[]') from (${ticketsOfSession(eventTime('clock.now', 'c'))}) o where s.step = 'consent')`,
);

const readTickets = prepared<TicketOptionRow>(`
  select o.* from authorization_session s join client c on c.id = s.client_id
    cross join lateral (${ticketsOfSession(eventTime('$2::timestamptz', 'c'))}) o
  where s.id = $1`);

/** @throws DomainError `wrong_step` before the phone is verified, and afterwards */
export function offerConsent(session: OpenSession & { more: TicketOptionRow[] }): ConsentOffer {
  requireStep(session, 'consent');
  return { actions: offeredActions(session), tickets: session.more.map(toTicketOption) };
}

/** What the partner asks for. */
export function offeredActions({ scope }: Pick<OpenSession, 'scope'>): Action[] {
  return actionsOf(scope.split(' '));
}

/** The tickets that the fan of a session may choose from, or could. */
export async function offeredTickets(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  session: OpenSession,
): Promise<TicketOption[]> {
  return (await readTickets(pool, [uuidOf('sess', session.id), now()])).map(toTicketOption);
}
