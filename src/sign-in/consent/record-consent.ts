import { earliestEnd } from '../../oauth/grant/grant-end.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, type SecretValue } from '../../platform/identifier/secret-value.ts';
import { type Id, newId, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { insertAudit, sqlAction } from '../../record/audit/record-audit.ts';
import type { LostCode } from '../authorization/complete-authorization.ts';
import type { OpenSession } from '../authorization/find-session.ts';
import type { TicketChoice } from './check-tickets.ts';
import { holdTickets } from './hold-tickets.ts';

/** A consent whose choice is checked. */
export interface CheckedConsent {
  code: SecretValue<'authorization_code'>;
  /** A code that nobody has got. This one takes its place, and its grant the choice of now. */
  lost: LostCode | undefined;
  actions: string[];
  mode: TicketChoice['mode'];
  tickets: Id<'tkt'>[];
}

/** SQL over `given`: not the choice that its grant has already. The same one is recorded once. */
const IS_NEW_CHOICE = `not exists (select from consent_grant g where g.id = given."grant" and g.mode = given.mode
  and g.actions @> given.actions and g.actions <@ given.actions
  and g.ticket_ids @> given.tickets and g.ticket_ids <@ given.tickets)`;

/**
 * One statement ends the session, writes the grant with its audit entry, and the code. Single use: of two concurrent consents one ends
 * the session; and none does after another fan has signed in to it. A code that is replaced must not have been used.
 */
const RECORD = `
  with given as (
    select ?::uuid as session, ?::text as lost, ?::text as hash, ?::uuid as "grant", ?::uuid as fan,
      ?::timestamptz as at, ?::text[] as actions, ?::text as mode, ?::uuid[] as tickets, ?::timestamptz as ends_after,
      ?::timestamptz as expires_at, ?::text as actor, ?::text as subject, ?::jsonb as details, ?::text as request_id
  ), taken as (
    delete from authorization_code c using given where c.hash = given.lost and c.used_at is null returning c.hash
  ), ended as (
    update authorization_session s set step = 'done', code_hash = given.hash from given
    where s.id = given.session and case when given.lost is null then s.step = 'consent' and s.fan_id = given.fan
      else s.code_hash in (select hash from taken) end
    returning s.client_id, s.scope, s.redirect_uri, s.code_challenge, s.nonce, s.authenticated_at, s.amr
  ), given_grant as (
    insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, amr, created_at, ends_after)
    select "grant", fan, client_id, scope, actions, actions, mode, tickets, amr, at, ends_after from given, ended
    on conflict (id) do update set actions = excluded.actions, consented_actions = excluded.consented_actions,
      mode = excluded.mode, ticket_ids = excluded.ticket_ids, created_at = excluded.created_at, ends_after = excluded.ends_after
  ), noted as (
    ${insertAudit({
      ...{ at: 'at', actor: 'actor', action: sqlAction('grant.given'), subject: 'subject' },
      ...{ details: 'details', requestId: 'request_id', from: `given, ended where ${IS_NEW_CHOICE}` },
    })}
  ), coded as (
    insert into authorization_code (hash, client_id, grant_id, redirect_uri, code_challenge, nonce, authenticated_at, expires_at)
    select hash, client_id, "grant", redirect_uri, code_challenge, nonce, authenticated_at, expires_at from given, ended
  )
  select exists (select from ended) as ended, exists (select from authorization_code c where c.hash = given.hash) as recorded
  from given`;

type RecordContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'>;

/**
 * Ends a session with a grant and its code. Done again with the same code, it changes nothing.
 * @throws DomainError `wrong_step` where the session has ended; `invalid_selection` where a ticket is no longer the fan's
 */
export async function recordConsent(
  context: RecordContext,
  session: OpenSession,
  consent: CheckedConsent,
): Promise<void> {
  const em = context.em.fork();
  if (consent.tickets.length === 0) return record({ ...context, em }, session, consent);
  await em.transactional(async (tx) => {
    await record({ ...context, em: tx }, session, consent);
    await holdTickets(tx, verifiedFan(session), consent.tickets);
  });
}

async function record(
  { em, now, config, requestId }: RecordContext,
  session: OpenSession,
  { code, lost, actions, mode, tickets }: CheckedConsent,
): Promise<void> {
  const at = now();
  const fan = verifiedFan(session);
  const grant = lost?.grant ?? newId('grant');
  const [done] = await em.execute<{ ended: boolean; recorded: boolean }[]>(RECORD, [
    ...[uuidOf('sess', session.id), lost?.hash ?? null, hashOf(code), uuidOf('grant', grant)],
    ...[uuidOf('usr', fan), at, arrayOf(actions), mode, arrayOf(tickets.map((id) => uuidOf('tkt', id)))],
    ...[earliestEnd(at, config.accessTokenTtl), after(at, AUTHORIZATION_CODE_LIFETIME), `fan:${fan}`, grant],
    ...[JSON.stringify({ client: session.client.id, actions, mode, tickets }), requestId],
  ]);
  if (!done?.ended && !done?.recorded) throw new DomainError('wrong_step', 'This sign-in has been completed already.');
}

function verifiedFan({ id, fan, authenticatedAt }: OpenSession): Id<'usr'> {
  if (!fan || !authenticatedAt) throw new Error(`session ${id} reached consent without a verified fan`);
  return fan.id;
}

/** An array as PostgreSQL reads it. @param values with no character that means anything there */
function arrayOf(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}
