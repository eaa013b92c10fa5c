import type { Pool, PoolClient } from 'pg';
import { earliestEnd } from '../../oauth/grant/end-expired-grants.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import { withParameters } from '../../partners/redirect-uri.ts';
import { type Action, actionsOf } from '../../partners/scopes.ts';
import type { Context, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newAuthorizationCode, type SecretValue } from '../../platform/identifier/secret-value.ts';
import { type Id, newId, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { untilKnown } from '../../platform/until-known.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { findLostCode, type LostCode } from '../authorization/complete-authorization.ts';
import { type OpenSession, requireStep, sessionFinder } from '../authorization/find-session.ts';
import { checkTickets, holdTickets, invalidSelection, type TicketChoice } from './check-tickets.ts';
import { endWithGrant, readTicketsOfSession, ticketsOfSession } from './statements.ts';
import { type TicketOption, type TicketOptionRow, toTicketOption } from './ticket-option.ts';

interface ConsentChoice extends TicketChoice {
  actions: string[];
  /** When the fan on the page was authenticated (ISO 8601): it differs if somebody else has signed in since. */
  verifiedAt?: string | undefined;
}

/**
 * Records the fan's grant and ends the session with an authorization code. If the answer to a consent was lost, its repeat
 * replaces grant and code (D-226).
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `invalid_selection` for what was not offered, or where a ticket was sold meanwhile; `wrong_step`
 */
export async function grantConsent(
  context: WriteContext & SqlContext & WithConfig & WithActivity,
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

/** What a fan may grant. */
interface ConsentOffer {
  /** Requested by the partner. */
  actions: Action[];
  /** The fan's future tickets, in the order of the Fan API. */
  tickets: TicketOption[];
}

/** Finds a session for `offerConsent`, with its tickets. */
export const findSessionToConsent = sessionFinder<TicketOptionRow[]>(
  `(select coalesce(json_agg(o), '[]') from (${ticketsOfSession('clock.now')}) o where s.step = 'consent')`,
);

/** What the fan of a session may grant. @throws DomainError `wrong_step` where the session is not at consent */
export function offerConsent(session: OpenSession & { more: TicketOptionRow[] }): ConsentOffer {
  requireStep(session, 'consent');
  return { actions: offeredActions(session), tickets: session.more.map(toTicketOption) };
}

/** The actions that the partner requests. */
function offeredActions({ scope }: Pick<OpenSession, 'scope'>): Action[] {
  return actionsOf(scope.split(' '));
}

/** The tickets that the fan of a session may choose from. */
async function offeredTickets({ pool, now }: SqlContext, session: OpenSession): Promise<TicketOption[]> {
  return (await readTicketsOfSession(pool, [uuidOf('sess', session.id), now()])).map(toTicketOption);
}

/** A consent whose choice is checked. */
interface CheckedConsent {
  code: SecretValue<'authorization_code'>;
  /** An earlier code that never arrived. The new code replaces it, and its grant gets the new choice. */
  lost: LostCode | undefined;
  actions: string[];
  mode: TicketChoice['mode'];
  tickets: Id<'tkt'>[];
}

type RecordContext = Pick<Context, 'pool' | 'now' | 'config' | 'requestId'>;

/**
 * Ends a session with a grant and its code. Repeating it with the same code changes nothing.
 * @throws DomainError `wrong_step` where the session has ended; `invalid_selection` where a ticket is no longer the fan's
 */
async function recordConsent(context: RecordContext, session: OpenSession, consent: CheckedConsent): Promise<void> {
  const { pool } = context;
  // one statement needs no transaction
  if (consent.tickets.length === 0) return record(context, pool, session, consent);
  await inTransaction(pool, async (client) => {
    await record(context, client, session, consent);
    await holdTickets(client, verifiedFan(session), consent.tickets);
  });
}

async function record(
  { now, config, requestId }: RecordContext,
  database: Pool | PoolClient,
  session: OpenSession,
  { code, lost, actions, mode, tickets }: CheckedConsent,
): Promise<void> {
  const at = now();
  const fan = verifiedFan(session);
  const grant = lost?.grant ?? newId('grant');
  const [done] = await endWithGrant(database, [
    ...[uuidOf('sess', session.id), lost?.hash ?? null, hashOf(code), uuidOf('grant', grant)],
    ...[uuidOf('usr', fan), at, actions, mode, tickets.map((id) => uuidOf('tkt', id))],
    ...[earliestEnd(at, config.accessTokenTtl), after(at, AUTHORIZATION_CODE_LIFETIME), `fan:${fan}`, grant],
    ...[JSON.stringify({ client: session.client.id, actions, mode, tickets }), requestId],
  ]);
  if (!done?.ended && !done?.recorded) throw new DomainError('wrong_step', 'This sign-in has been completed already.');
}

function verifiedFan({ id, fan, authenticatedAt }: OpenSession): Id<'usr'> {
  if (!fan || !authenticatedAt) throw new Error(`session ${id} reached consent without a verified fan`);
  return fan.id;
}
