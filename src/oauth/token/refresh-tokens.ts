import { RefreshTokenFamily } from '../../entities/refresh-token-family.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import { parseScope } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { type Id, idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import { untilKnown } from '../../platform/until-known.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { wasAnswered } from '../../record/activity/was-answered.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { LIVE_GRANT } from '../grant/live-grant.ts';
import { revokeGrantWithin } from '../grant/revoke-grant.ts';
import {
  GRANT_COLUMNS,
  type GrantRow,
  grantSubject,
  type IssuedTokens,
  issueTokens,
  type TokenSubject,
} from './issue-tokens.ts';
import { refuseClientFirst, unknownClient } from './known-client.ts';
import { askToRepeat } from './lost-answer.ts';
import { asRefreshToken, hashesOf, heldSuccessorOf, type RefreshTokenValue, successorOf } from './refresh-token.ts';

export interface Refresh {
  clientId: string;
  refreshToken: string;
  /** Narrows the scope of this access token; undefined keeps the original. */
  scope: string | undefined;
}

interface FamilyRow extends GrantRow {
  expires_at: number;
}

interface RotatedRow extends FamilyRow {
  n: number;
}

/** Seconds are rounded down: a cast alone may round up and extend the family by a second. */
const FAMILY_COLUMNS = `f.grant_id, floor(extract(epoch from f.authenticated_at))::int as auth_time,
  floor(extract(epoch from f.expires_at))::int as expires_at, ${GRANT_COLUMNS}`;

/** What the statement that rotates a token is given. */
interface GivenRotation {
  handle_hash: string;
  secret_hash: string;
  client: Uuid;
  next: string;
  now: Date;
  /** Space-delimited; empty keeps the scope. */
  narrowed: string;
  /** Null for a job or a command. */
  request: string | null;
  /** The request whose rotation is made again. */
  repeated: string | null;
}

/**
 * One round trip: replaces the secret if the presented one is current, and client, grant and family are live. A rotation that this
 * request has made already, or that it repeats, is made again.
 */
const rotate = shareStatement<GivenRotation, RotatedRow>(
  (busy) => `
  with given as (
    select e.* from ${givenRows(`handle_hash text, secret_hash text, client uuid, next text, now timestamptz, narrowed text,
      request uuid, repeated uuid`)} e
    cross join lateral (select from refresh_token_family f where f.handle_hash = e.handle_hash for update ${busy}) held
  )
  update refresh_token_family f
  set previous_secret_hash = e.secret_hash, secret_hash = e.next, rotated_at = e.now, rotated_in = e.request
  from given e, consent_grant g, client c
  where f.handle_hash = e.handle_hash
    and (f.secret_hash = e.secret_hash or f.secret_hash = e.next and f.rotated_in in (e.request, e.repeated))
    and f.client_id = e.client and f.revoked_at is null and f.expires_at > e.now
    and g.id = f.grant_id and c.id = f.client_id
    and ${LIVE_GRANT} and string_to_array(e.narrowed, ' ') <@ string_to_array(g.scope, ' ')
  returning e.n, ${FAMILY_COLUMNS}`,
);

interface PresentedFamily extends FamilyRow {
  secret_hash: string;
  current: boolean;
  own: boolean;
  ended: boolean;
  retryable: boolean;
  /** Whether it is the immediate predecessor, and was rotated less than a minute ago. */
  recent: boolean;
  rotated_in: string | null;
  rotated_at: Date;
}

/** `retryable` needs a window: with clock skew between processes, `rotated_at` may be in the future. */
const readFamily = preparedWithDates<PresentedFamily>(`
  select ${FAMILY_COLUMNS}, f.secret_hash, f.secret_hash = $2 as current,
    f.rotated_in, f.rotated_at,
    coalesce(f.previous_secret_hash = $2 and $4 < f.rotated_at + interval '1 minute', false) as recent,
    f.client_id = $3 as own, f.revoked_at is not null or f.expires_at <= $4 as ended,
    coalesce(f.previous_secret_hash = $2 and c.refresh_retry_window > 0
      and $4 < f.rotated_at + make_interval(secs => c.refresh_retry_window), false) as retryable
  from refresh_token_family f join consent_grant g on g.id = f.grant_id join client c on c.id = f.client_id
  where f.handle_hash = $1`);

type RefreshContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> &
  WithKeys &
  WithSecrets &
  WithActivity &
  WithTokenClock;

/** A refresh request whose client and token are well-formed. */
interface Presented {
  client: Uuid;
  token: RefreshTokenValue;
  narrowed: string[] | undefined;
  now: Date;
}

/** A family after its rotation, and its token. */
interface Rotated {
  family: FamilyRow;
  value: RefreshTokenValue;
}

/**
 * Rotates a refresh token: a new access token and a new refresh token of the same family. Reuse of an older token ends the family
 * and its grant, unless it is the immediate predecessor: within the client's retry window, or where the rotation was never answered (D-226).
 * @throws OAuthError `invalid_grant`; `invalid_scope` where the scope is malformed or wider than the original;
 * `invalid_request` where the client is unknown. Another client's token is refused as an unknown one, and nothing changes
 * @throws DomainError `unavailable` where the outcome is not known
 * @see spec §5.10, RFC 6749 §6, RFC 9700 §4.14
 */
export async function refreshTokens(context: RefreshContext, refresh: Refresh): Promise<IssuedTokens> {
  const now = context.now();
  const client = tryUuidOf('client', refresh.clientId);
  const token = asRefreshToken(refresh.refreshToken);
  if (client === undefined) throw unknownClient();
  if (token === undefined) throw await refuseClientFirst(context, client, invalidGrant());
  const narrowed = refresh.scope === undefined ? undefined : narrowedScopes(refresh.scope);
  const presented = { client, token, narrowed, now };
  const { family, value } =
    (await rotateTo(context, presented, successorOf(token, context.secrets))) ?? (await retry(context, presented));
  const response = await issueTokens(context, subjectOf(family, idOf('client', client), narrowed, value, now));
  return { response, grant: family.grant_id, fan: family.fan_id };
}

function subjectOf(
  family: FamilyRow,
  clientId: Id<'client'>,
  narrowed: string[] | undefined,
  successor: RefreshTokenValue,
  issuedAt: Date,
): TokenSubject {
  const scopes = family.scope.split(' ').filter((scope) => narrowed === undefined || narrowed.includes(scope));
  return {
    ...grantSubject(family, scopes),
    clientId,
    issuedAt,
    nonce: null,
    // spec §5.9: only while the client may ask for offline_access
    refreshToken: family.client_scopes.includes('offline_access')
      ? { value: successor, expiresAt: family.expires_at }
      : null,
  };
}

/**
 * @param repeated the request whose rotation is made again
 * @returns undefined where the token is not current
 * @throws DomainError `unavailable` where this call may have rotated it itself, without having seen the answer
 */
async function rotateTo(
  context: RefreshContext,
  { client, token, narrowed, now }: Presented,
  successor: RefreshTokenValue,
  repeated: string | null = null,
): Promise<Rotated | undefined> {
  const { handleHash, secretHash } = hashesOf(token);
  const next = hashesOf(successor).secretHash;
  const given: GivenRotation = {
    handle_hash: handleHash,
    secret_hash: secretHash,
    client,
    next,
    now,
    narrowed: narrowed?.join(' ') ?? '',
    request: context.requestId,
    repeated,
  };
  const { result: family, again } = await untilKnown(context, (again) =>
    again || repeated !== null ? rotate.alone(context.pool, given) : rotate.together(context.pool, given),
  );
  if (family === undefined && again) throw askToRepeat();
  return family && { family, value: successor };
}

/** The family of a token that is not current, and its successor, where its client may retry. @throws OAuthError otherwise */
async function retry(context: RefreshContext, presented: Presented): Promise<Rotated> {
  const { client, token, narrowed, now } = presented;
  const { handleHash, secretHash } = hashesOf(token);
  const [family] = await readFamily(context.pool, [handleHash, secretHash, client, now]);
  if (!family?.own) throw await refuseClientFirst(context, client, invalidGrant());
  if (family.ended || !family.live) throw invalidGrant();
  const wider = narrowed?.find((scope) => !family.scope.split(' ').includes(scope));
  if ((family.current || family.retryable) && wider !== undefined) throw tooWide();
  if (family.current) throw invalidGrant();
  if (family.retryable) return { family, value: heldSuccessor(context, token, family) };
  const { recent, rotated_in, rotated_at } = family;
  if (recent && rotated_in !== null && !(await wasAnswered(context, rotated_in, rotated_at))) {
    if (wider !== undefined) throw tooWide();
    return repeat(context, presented, family);
  }
  await revokeFamily(context, client, handleHash, family.grant_id);
  throw invalidGrant();
}

/** Makes a rotation again whose answer was lost, once, and to the same successor: there is one chain only, whoever sent the token. */
async function repeat(context: RefreshContext, presented: Presented, family: PresentedFamily): Promise<Rotated> {
  const successor = heldSuccessor(context, presented.token, family);
  const rotated = await rotateTo(context, presented, successor, family.rotated_in);
  if (rotated === undefined) throw askToRepeat();
  const { requestId } = context;
  context.log.warn({ requestId, grant: idOf('grant', family.grant_id) }, 'a refresh whose answer was lost is repeated');
  return rotated;
}

/** The successor that the family holds. @throws OAuthError where another KEY_ENCRYPTION_KEY derived it */
function heldSuccessor({ secrets }: WithSecrets, token: RefreshTokenValue, family: PresentedFamily): RefreshTokenValue {
  const value = heldSuccessorOf(token, secrets, family.secret_hash);
  if (value === undefined) throw invalidGrant();
  return value;
}

/** Spec §5.10: reuse revokes the family, and with it the grant. Committed before the refusal. */
async function revokeFamily(context: RefreshContext, client: Uuid, handleHash: string, grantUuid: Uuid): Promise<void> {
  const actor = `client:${idOf('client', client)}`;
  const grantId = idOf('grant', grantUuid);
  await context.em.fork().transactional(async (em) => {
    const within = { ...context, em };
    const revokedAt = context.now();
    const revoked = await em.nativeUpdate(RefreshTokenFamily, { handleHash, revokedAt: null }, { revokedAt });
    if (revoked === 1) recordAudit(within, { actor, action: 'refresh_token.reused', subject: grantId });
    await revokeGrantWithin(within, { grantId, reason: 'refresh_token_reuse', actor });
  });
}

function narrowedScopes(text: string): string[] {
  const scopes = parseScope(text);
  if (scopes === undefined) throw new OAuthError('invalid_scope', 'scope must be scopes with spaces between them');
  return scopes;
}

function tooWide(): OAuthError {
  return new OAuthError('invalid_scope', 'scope is wider than the original grant');
}

function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'refresh_token is invalid, expired or revoked');
}
