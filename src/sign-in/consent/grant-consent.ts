import { withParameters } from '../../partners/redirect-uri.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { newAuthorizationCode } from '../../platform/identifier/secret-value.ts';
import { untilKnown } from '../../platform/until-known.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { findLostCode } from '../authorization/complete-authorization.ts';
import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import { checkTickets, invalidSelection, type TicketChoice } from './check-tickets.ts';
import { offeredActions, offeredTickets } from './offer-consent.ts';
import { recordConsent } from './record-consent.ts';

export interface ConsentChoice extends TicketChoice {
  actions: string[];
  /** When the fan was verified whom the page showed; ISO 8601. */
  verifiedAt?: string | undefined;
}

/**
 * Records the fan's grant and ends the session with an authorization code. The repeat of a consent that was never answered
 * replaces it (D-226).
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `invalid_selection` outside of the offer, or where a ticket was sold meanwhile; `wrong_step`
 */
export async function grantConsent(
  context: Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId'> & WithActivity,
  session: OpenSession,
  choice: ConsentChoice,
): Promise<string> {
  const lost = session.step === 'done' ? await findLostCode(context, session) : undefined;
  if (lost === undefined) requireStep(session, 'consent');
  if (choice.verifiedAt !== undefined && choice.verifiedAt !== session.authenticatedAt?.toISOString())
    throw new DomainError('wrong_step', 'Somebody else has signed in here meanwhile. Load the page again.');
  checkActions(choice, offeredActions(session));
  const tickets = checkTickets(choice, choice.mode === 'selected' ? await offeredTickets(context, session) : []);
  const code = newAuthorizationCode();
  const { actions, mode } = choice;
  await untilKnown(context, () => recordConsent(context, session, { code, lost, actions, mode, tickets }));
  return withParameters(session.redirectUri, { code, state: session.state });
}

function checkActions({ actions }: ConsentChoice, offered: readonly string[]): void {
  const foreign = actions.find((action) => !offered.includes(action));
  if (foreign !== undefined) throw invalidSelection(`The action ${foreign.slice(0, 60)} was not asked for.`);
  if (new Set(actions).size < actions.length) throw invalidSelection('An action is named twice.');
}
