/**
 * The statements of the token endpoint. A code or token is spent by one conditional update, so PostgreSQL decides which request is
 * first.
 *
 * @module
 */
import type { GrantMode } from '../../entities/consent-grant.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { LIVE_GRANT } from '../grant/live-grant.ts';

/** The columns of a grant and its client that tokens need (`GRANT_COLUMNS`). */
export interface GrantRow {
  live: boolean;
  grant_id: Uuid;
  fan_id: Uuid;
  mode: Mode;
  grant_mode: GrantMode;
  scope: string;
  /** The scopes that the client may request now. New tokens leave out a scope that the client has lost since the grant. */
  client_scopes: string[];
  actions: string[];
  amr: string | null;
  /** When the fan was authenticated, in seconds since the epoch. */
  auth_time: number;
}

/** Columns of a `GrantRow`, except `grant_id` and `auth_time`, over `consent_grant g` and `client c`. */
export const GRANT_COLUMNS = `${LIVE_GRANT} as live, g.fan_id, c.mode, g.mode as grant_mode, g.scope, c.scopes as client_scopes, g.actions, g.amr`;

/** The input of `spendCode`. */
export interface GivenExchange {
  hash: string;
  client: Uuid;
  redirect_uri: string;
  challenge: string;
  handle_hash: string;
  secret_hash: string;
  refresh_expires_at: Date;
  now: Date;
  /** The ID of the request; null for a job or command, whose answer counts as received. */
  request: string | null;
}

export interface SpentCode extends GrantRow {
  n: number;
  right_redirect: boolean;
  right_verifier: boolean;
  nonce: string | null;
  refreshable: boolean;
}

/**
 * In one round trip, spends the code if it is unused, unexpired and this client's, and creates the refresh token family if the rest of the
 * request is correct. A wrong redirect URI or verifier also spends the code, so that nobody can try twice with a code that leaked. The
 * same request may run the statement again, and gets the same row.
 */
export const spendCode = shareStatement<GivenExchange, SpentCode>(
  (lock) => `
  with given as (
    select e.* from ${givenRows(`hash text, client uuid, redirect_uri text, challenge text, handle_hash text, secret_hash text,
      refresh_expires_at timestamptz, now timestamptz, request uuid`)} e
    cross join lateral (select from authorization_code a where a.hash = e.hash for update ${lock}) held
  ), spent as (
    update authorization_code a set used_at = e.now, used_in = e.request from given e
    where a.hash = e.hash and a.client_id = e.client
      and (a.used_at is null and a.expires_at > e.now or a.used_in = e.request)
    returning e.n, a.client_id, a.grant_id, a.nonce, a.authenticated_at, a.redirect_uri = e.redirect_uri as right_redirect,
      a.code_challenge = e.challenge as right_verifier, e.handle_hash, e.secret_hash, e.refresh_expires_at
  ), found as (
    select spent.*, 'offline_access' = any(string_to_array(g.scope, ' ')) and 'offline_access' = any(c.scopes) as refreshable,
      ${GRANT_COLUMNS}
    from spent join consent_grant g on g.id = spent.grant_id join client c on c.id = spent.client_id
  ), family as (
    insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
    select handle_hash, secret_hash, client_id, grant_id, authenticated_at, refresh_expires_at from found
    where live and right_redirect and right_verifier and refreshable
    on conflict (handle_hash) do nothing
  )
  select n, grant_id, nonce, right_redirect, right_verifier, refreshable, live, fan_id, mode, grant_mode, scope, client_scopes, actions,
    amr, floor(extract(epoch from authenticated_at))::int as auth_time
  from found`,
);

export const readCode = preparedWithDates<{
  client_id: Uuid;
  grant_id: Uuid;
  used_at: Date | null;
  used_in: string | null;
}>(`
  select client_id, grant_id, used_at, used_in from authorization_code where hash = $1`);

export interface FamilyRow extends GrantRow {
  /** Seconds since the epoch. */
  expires_at: number;
}

interface RotatedRow extends FamilyRow {
  n: number;
}

/** Seconds are rounded down: a cast alone may round up and extend the family by a second. */
const FAMILY_COLUMNS = `f.grant_id, floor(extract(epoch from f.authenticated_at))::int as auth_time,
  floor(extract(epoch from f.expires_at))::int as expires_at, ${GRANT_COLUMNS}`;

/** The input of `rotate`. */
export interface GivenRotation {
  handle_hash: string;
  secret_hash: string;
  client: Uuid;
  next: string;
  now: Date;
  /** Space-delimited scopes; empty keeps the grant's. */
  narrowed: string;
  /** The ID of the request; null for a job or command. */
  request: string | null;
  /** The ID of the request whose rotation is repeated; null for a first attempt. */
  repeated: string | null;
}

/**
 * In one round trip, replaces the secret if the presented one is current, and client, grant and family are live. The same request, or one
 * that repeats it, may run the statement again, and gets the same secret. If the client has lost `offline_access`, the family ends: the
 * client gets no successor (spec §5.9) and keeps its token (RFC 6749 §6), and the next use of that token must not count as reuse.
 */
export const rotate = shareStatement<GivenRotation, RotatedRow>(
  (lock) => `
  with given as (
    select e.* from ${givenRows(`handle_hash text, secret_hash text, client uuid, next text, now timestamptz, narrowed text,
      request uuid, repeated uuid`)} e
    cross join lateral (select from refresh_token_family f where f.handle_hash = e.handle_hash for update ${lock}) held
  )
  update refresh_token_family f
  set previous_secret_hash = e.secret_hash, secret_hash = e.next, rotated_at = e.now, rotated_in = e.request,
    revoked_at = case when 'offline_access' <> all(c.scopes) then e.now end
  from given e, consent_grant g, client c
  where f.handle_hash = e.handle_hash
    and (f.secret_hash = e.secret_hash or f.secret_hash = e.next and f.rotated_in in (e.request, e.repeated))
    and f.client_id = e.client and f.revoked_at is null and f.expires_at > e.now
    and g.id = f.grant_id and c.id = f.client_id
    and ${LIVE_GRANT} and string_to_array(e.narrowed, ' ') <@ string_to_array(g.scope, ' ')
  returning e.n, ${FAMILY_COLUMNS}`,
);

export interface PresentedFamily extends FamilyRow {
  secret_hash: string;
  current: boolean;
  own: boolean;
  ended: boolean;
  retryable: boolean;
  /** The ID of the request that rotated the token, if the token is the immediate predecessor, rotated less than a minute ago. */
  rotated_in: string | null;
  rotated_at: Date | null;
}

/** `retryable` is false for a window of 0, even where another process's clock was ahead and `rotated_at` is in the future. */
export const readFamily = preparedWithDates<PresentedFamily>(`
  select ${FAMILY_COLUMNS}, f.secret_hash, f.secret_hash = $2 as current,
    f.rotated_at,
    case when f.previous_secret_hash = $2 and $4 < f.rotated_at + interval '1 minute' then f.rotated_in end as rotated_in,
    f.client_id = $3 as own, f.revoked_at is not null or f.expires_at <= $4 as ended,
    coalesce(f.previous_secret_hash = $2 and c.refresh_retry_window > 0
      and $4 < f.rotated_at + make_interval(secs => c.refresh_retry_window), false) as retryable
  from refresh_token_family f join consent_grant g on g.id = f.grant_id join client c on c.id = f.client_id
  where f.handle_hash = $1`);
