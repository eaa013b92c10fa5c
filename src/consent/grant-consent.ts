import { recordAudit } from '../audit/record-audit.ts';
import { completeAuthorization, findLostCode } from '../authorization/complete-authorization.ts';
import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import type { WithDoubts } from '../database/doubts.ts';
import { untilKnown } from '../database/until-known.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { earliestEnd } from '../grant/grant-end.ts';
import { hashOf, newAuthorizationCode } from '../identifier/secret-value.ts';
import { type Id, uuidOf } from '../identifier/type-id.ts';
import { checkTickets, invalidSelection, type TicketChoice } from './check-tickets.ts';
import { holdTickets } from './hold-tickets.ts';
import { type ConsentOffer, readOffer } from './offer-consent.ts';

export interface ConsentChoice extends TicketChoice {
  actions: string[];
  /** When the fan was verified whom the page showed; ISO 8601. */
  verifiedAt?: string | undefined;
}

/**
 * Records the fan's grant and ends the session with an authorization code. Where the answer to a consent was lost by us, its repeat
 * replaces it (D-226).
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `invalid_selection` outside of the offer, or where a ticket was sold meanwhile; `wrong_step`
 */
export async function grantConsent(
  context: Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId'> & WithDoubts,
  session: OpenSession,
  choice: ConsentChoice,
): Promise<string> {
  const lost = session.step === 'done' ? await findLostCode(context, session) : undefined;
  if (lost === undefined) requireStep(session, 'consent');
  const offer = await readOffer(context, session);
  if (choice.verifiedAt !== undefined && choice.verifiedAt !== session.authenticatedAt?.toISOString())
    throw new DomainError('wrong_step', 'Somebody else has signed in here meanwhile. Load the page again.');
  checkActions(choice, offer);
  const tickets = checkTickets(choice, offer.tickets);
  const code = newAuthorizationCode();
  const { result } = await untilKnown(context, hashOf(code), ({ process }) =>
    context.em.fork().transactional((tx) => {
      const within = { ...context, em: tx };
      return completeAuthorization(within, session, { code, process, lost }, async (fan, earlier) => {
        await holdTickets(tx, fan, tickets);
        return give(within, session, choice, { fan, tickets, earlier });
      });
    }),
  );
  return result;
}

/** A new grant, or the choice of now in the grant of a consent that is repeated; the same choice is recorded once. */
function give(
  context: Pick<Context, 'em' | 'now' | 'config' | 'requestId'>,
  { client, scope }: OpenSession,
  { actions, mode }: ConsentChoice,
  { fan, tickets, earlier }: { fan: Id<'usr'>; tickets: Id<'tkt'>[]; earlier: ConsentGrant | undefined },
): ConsentGrant {
  const createdAt = context.now();
  const values = {
    actions,
    consentedActions: actions,
    mode,
    ticketIds: tickets.map((id) => uuidOf('tkt', id)),
    createdAt,
    endsAfter: earliestEnd(createdAt, context.config.accessTokenTtl),
  };
  if (earlier && isSameChoice(earlier, values)) return Object.assign(earlier, values);
  const grant = earlier
    ? Object.assign(earlier, values)
    : context.em.create(ConsentGrant, { ...values, fan, client: client.id, scope });
  recordAudit(context, {
    actor: `fan:${fan}`,
    action: 'grant.given',
    subject: grant.id,
    details: { client: client.id, actions, mode, tickets },
  });
  return grant;
}

type Choice = Pick<ConsentGrant, 'actions' | 'mode' | 'ticketIds'>;

function isSameChoice(earlier: Choice, { actions, mode, ticketIds }: Choice): boolean {
  return earlier.mode === mode && isSameSet(earlier.actions, actions) && isSameSet(earlier.ticketIds, ticketIds);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((value) => others.includes(value));
}

function checkActions(choice: ConsentChoice, offer: ConsentOffer): void {
  const offered: readonly string[] = offer.actions;
  const foreign = choice.actions.find((action) => !offered.includes(action));
  if (foreign !== undefined) throw invalidSelection(`The action ${foreign.slice(0, 60)} was not asked for.`);
  if (new Set(choice.actions).size < choice.actions.length) throw invalidSelection('An action is named twice.');
}
