import type { Pool, PoolClient } from 'pg';
import { earliestEnd } from '../../oauth/grant/end-expired-grants.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { inTransaction } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type SecretValue } from '../../platform/identifier/secret-value.ts';
import { type Id, newId, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { LostCode } from '../authorization/complete-authorization.ts';
import type { OpenSession } from '../authorization/find-session.ts';
import { holdTickets, type TicketChoice } from './check-tickets.ts';
import { endWithGrant } from './statements.ts';

/** A consent whose choice is checked. */
export interface CheckedConsent {
  code: SecretValue<'authorization_code'>;
  /** A code that nobody has got. This one takes its place, and its grant the choice of now. */
  lost: LostCode | undefined;
  actions: string[];
  mode: TicketChoice['mode'];
  tickets: Id<'tkt'>[];
}

type RecordContext = Pick<Context, 'pool' | 'now' | 'config' | 'requestId'>;

/**
 * Ends a session with a grant and its code. Done again with the same code, it changes nothing.
 * @throws DomainError `wrong_step` where the session has ended; `invalid_selection` where a ticket is no longer the fan's
 */
export async function recordConsent(
  context: RecordContext,
  session: OpenSession,
  consent: CheckedConsent,
): Promise<void> {
  const { pool } = context;
  // one statement, which needs no transaction around it
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
