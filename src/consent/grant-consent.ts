import { recordAudit } from '../audit/record-audit.ts';
import { completeAuthorization } from '../authorization/complete-authorization.ts';
import type { OpenSession } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { earliestEnd } from '../grant/grant-end.ts';
import { uuidOf } from '../identifier/type-id.ts';
import { checkTickets, invalidSelection, type TicketChoice } from './check-tickets.ts';
import { holdTickets } from './hold-tickets.ts';
import { type ConsentOffer, offerConsent } from './offer-consent.ts';

export interface ConsentChoice extends TicketChoice {
  actions: string[];
  /** When the fan was verified whom the page showed; ISO 8601. */
  verifiedAt?: string | undefined;
}

/**
 * Records the fan's grant and ends the session with an authorization code.
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `invalid_selection` outside of the offer, or where a ticket was sold meanwhile; `wrong_step`
 */
export async function grantConsent(
  context: Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId'>,
  session: OpenSession,
  choice: ConsentChoice,
): Promise<string> {
  const offer = await offerConsent(context, session);
  if (choice.verifiedAt !== undefined && choice.verifiedAt !== session.authenticatedAt?.toISOString())
    throw new DomainError('wrong_step', 'Somebody else has signed in here meanwhile. Load the page again.');
  checkActions(choice, offer);
  const tickets = checkTickets(choice, offer.tickets);
  const { em, now, config } = context;
  return em.transactional(async (tx) => {
    const inTransaction = { ...context, em: tx };
    return completeAuthorization(inTransaction, session, async (fanId) => {
      await holdTickets(tx, fanId, tickets);
      const createdAt = now();
      const grant = tx.create(ConsentGrant, {
        fan: fanId,
        client: session.client.id,
        scope: session.scope,
        actions: choice.actions,
        consentedActions: choice.actions,
        mode: choice.mode,
        ticketIds: tickets.map((id) => uuidOf('tkt', id)),
        createdAt,
        endsAfter: earliestEnd(createdAt, config.accessTokenTtl),
      });
      recordAudit(inTransaction, {
        actor: `fan:${fanId}`,
        action: 'grant.given',
        subject: grant.id,
        details: { client: session.client.id, actions: choice.actions, mode: choice.mode, tickets },
      });
      return grant;
    });
  });
}

function checkActions(choice: ConsentChoice, offer: ConsentOffer): void {
  const offered: readonly string[] = offer.actions;
  const foreign = choice.actions.find((action) => !offered.includes(action));
  if (foreign !== undefined) throw invalidSelection(`The action ${foreign.slice(0, 60)} was not asked for.`);
  if (new Set(choice.actions).size < choice.actions.length) throw invalidSelection('An action is named twice.');
}
