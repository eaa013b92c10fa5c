/**
 * The statements of consents and receipts.
 *
 * @module
 */
import type { GrantMode } from '../../entities/consent-grant.ts';
import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { eventTime } from '../../partners/client/event-time.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { futureTicketsFrom, TICKET_ORDER } from '../../tickets/ticket/future-tickets.ts';
import type { TicketOptionRow } from './ticket-option.ts';

/** SQL of a time in ISO 8601, UTC. */
function isoTime(time: string): string {
  return `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** The columns of a `TicketOptionRow`, over `ticket t`, `ticket_type tt` and `event e`. */
export const TICKET_OPTION_COLUMNS = `t.id, e.name as "eventName", concat_ws(' · ', tt.name, t.label) as "ticketTypeName",
  ${isoTime('e.starts_at')} as "startsAt", e.time_zone as "timeZone", e.venue,
  case when tt.resale then ${isoTime('e.resale_until')} else 'never' end as resale`;

/** SQL of the future tickets of the fan of `authorization_session s`, as its `client c` sees them. @param now SQL of the current time */
export function ticketsOfSession(now: string): string {
  return `with viewer as (select s.fan_id, c.partner_id, c.mode)
    select ${TICKET_OPTION_COLUMNS} from ${futureTicketsFrom(eventTime(now, 'c'))} order by ${TICKET_ORDER}`;
}

/** The tickets that the fan of a sign-in may choose from. */
export const readTicketsOfSession = prepared<TicketOptionRow>(`
  select o.* from authorization_session s join client c on c.id = s.client_id
    cross join lateral (${ticketsOfSession('$2::timestamptz')}) o
  where s.id = $1`);

/** The tickets that a fan may put into live grants of one client. */
export const readTicketsOfGrants = prepared<TicketOptionRow>(`
  with viewer as (
    select g.fan_id, c.partner_id, c.mode, ${eventTime('$2::timestamptz', 'c')} as event_time
    from consent_grant g join client c on c.id = g.client_id
    where g.id = any($1) and g.fan_id = $3 and g.revoked_at is null limit 1
  )
  select ${TICKET_OPTION_COLUMNS} from ${futureTicketsFrom('viewer.event_time')} order by ${TICKET_ORDER}`);

/** Reads which of the given tickets a fan holds for future events. */
export const readHeldTickets = prepared<TicketOptionRow>(`
  select ${TICKET_OPTION_COLUMNS}
  from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where t.id = any($1) and t.owner_id = $2 and e.ends_at > $3
  order by ${TICKET_ORDER}`);

/** Locks tickets of a grant with their permits, in one order in all calls. */
export const lockHeldTickets = prepared<{ id: Uuid }>(`
  select t.id from ticket t join permit p on p.ticket_id = t.id
  where t.id = any($1) and t.owner_id = $2 order by p.id for share of p, t`);

/** SQL over `given`: whether the choice differs from what its grant has, so that a repeat of the same choice writes no audit entry. */
const IS_NEW_CHOICE = `not exists (select from consent_grant g where g.id = given."grant" and g.mode = given.mode
  and g.actions @> given.actions and g.actions <@ given.actions
  and g.ticket_ids @> given.tickets and g.ticket_ids <@ given.tickets)`;

/**
 * Ends the session; writes the grant, its audit entry and the code. Of two concurrent consents one ends the session; a consent fails if
 * another fan has signed in to the session since. Replaces a lost code only if nobody has used it.
 */
export const endWithGrant = prepared<{ ended: boolean; recorded: boolean }>(`
  with given as (
    select $1::uuid as session, $2::text as lost, $3::text as hash, $4::uuid as "grant", $5::uuid as fan, $6::timestamptz as at,
      $7::text[] as actions, $8::text as mode, $9::uuid[] as tickets, $10::timestamptz as ends_after,
      $11::timestamptz as expires_at, $12::text as actor, $13::text as subject, $14::jsonb as details, $15::text as request_id
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
    ${INSERT_AUDIT} select at, actor, ${sqlAction('grant.given')}, subject, details, request_id
    from given, ended where ${IS_NEW_CHOICE}
  ), coded as (
    insert into authorization_code (hash, client_id, grant_id, redirect_uri, code_challenge, nonce, authenticated_at, expires_at)
    select hash, client_id, "grant", redirect_uri, code_challenge, nonce, authenticated_at, expires_at from given, ended
  )
  select exists (select from ended) as ended, exists (select from authorization_code c where c.hash = given.hash) as recorded
  from given`);

/** Locks grants in the order of their ids, as everywhere, to prevent deadlocks. */
export const lockLiveGrants = prepared<{ id: Uuid; client_id: Uuid; mode: GrantMode; ticket_ids: Uuid[] }>(`
  select id, client_id, mode, ticket_ids from consent_grant
  where id = any($1) and fan_id = $2 and revoked_at is null order by id for no key update`);

/** Gives several grants the same tickets, and writes an audit entry for each. */
export const changeTickets = prepared<never>(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as g (id uuid, subject text, details jsonb)
  ), changed as (
    update consent_grant g set mode = $2, ticket_ids = $3::uuid[], sales_kept_at = coalesce($7, sales_kept_at) from given
    where g.id = given.id
  )
  ${INSERT_AUDIT}
  select $4::timestamptz, $5, ${sqlAction('grant.tickets_chosen')}, subject, details, $6 from given`);

export const readReceipt = prepared<{
  live: boolean;
  revoked: boolean;
  partner_name: string;
  fan_id: Uuid;
  client_id: Uuid;
  client_name: string;
  mode: Mode;
  scope: string;
  actions: string[];
  grant_mode: GrantMode;
  ticket_ids: Uuid[];
  granted_at: number;
}>(`
  select ${LIVE_GRANT} as live, g.revoked_at is not null as revoked, p.name as partner_name, g.fan_id, g.client_id,
    c.name as client_name, c.mode, g.scope, g.actions, g.mode as grant_mode, g.ticket_ids,
    floor(extract(epoch from g.created_at))::float8 as granted_at
  from consent_grant g join client c on c.id = g.client_id join partner p on p.id = c.partner_id where g.id = $1`);
