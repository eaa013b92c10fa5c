import { type Action, actionsOf } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { type OpenSession, requireStep, sessionFinder } from '../authorization/find-session.ts';
import { readTicketsOfSession, type TicketOptionRow, ticketsOfSession } from './statements.ts';
import { type TicketOption, toTicketOption } from './ticket-option.ts';

/** What a fan may grant. */
export interface ConsentOffer {
  /** Requested by the partner. */
  actions: Action[];
  /** The fan's future tickets, in the order of the Fan API. */
  tickets: TicketOption[];
}

/** Finds a session for `offerConsent`, with its tickets. */
export const findSessionToConsent = sessionFinder<TicketOptionRow[]>(
  `(select coalesce(json_agg(o), '[]') from (${ticketsOfSession('clock.now')}) o where s.step = 'consent')`,
);

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
  return (await readTicketsOfSession(pool, [uuidOf('sess', session.id), now()])).map(toTicketOption);
}
