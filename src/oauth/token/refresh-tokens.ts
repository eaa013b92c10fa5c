import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import { parseScope } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, idOf, tryUuidOf } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { wasAnswered } from '../../record/activity/was-answered.ts';
import { grantSubject, type IssuedTokens, issueTokens, type TokenSubject } from './issue-tokens.ts';
import { refuseClientFirst, unknownClient } from './known-client.ts';
import { asRefreshToken, hashesOf, heldSuccessorOf, type RefreshTokenValue, successorOf } from './refresh-token.ts';
import { type PresentedToken, type Rotated, repeatRotation, revokeFamily, rotateTo } from './rotate-family.ts';
import { type FamilyRow, type PresentedFamily, readFamily } from './statements.ts';

export interface Refresh {
  clientId: string;
  refreshToken: string;
  /** Narrows the scope of the new access token; undefined keeps the grant's scope. */
  scope: string | undefined;
}

type RefreshContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> &
  WithKeys &
  WithSecrets &
  WithActivity &
  WithTokenClock;

/**
 * Exchanges a refresh token for a new access token and the next refresh token of the family. Reuse of an older token ends the family and
 * its grant, except that the immediate predecessor may be used again in the client's retry window, or if its rotation got no answer (D-226).
 * @throws OAuthError `invalid_grant`; `invalid_scope` where the scope is malformed or wider than the original;
 * `invalid_request` where the client is unknown. Another client's token is refused like an unknown one, and nothing changes
 * @throws DomainError `unavailable` where it is unknown whether the token was rotated
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
    (await rotateTo(context, presented, successorOf(token, context.secrets))) ??
    (await retryRefresh(context, presented));
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
    // spec §5.9: only while the client may request offline_access
    refreshToken: family.client_scopes.includes('offline_access')
      ? { value: successor, expiresAt: family.expires_at }
      : null,
  };
}

function narrowedScopes(text: string): string[] {
  const scopes = parseScope(text);
  if (scopes === undefined) throw new OAuthError('invalid_scope', 'scope must be scopes, separated by spaces');
  return scopes;
}

/**
 * Judges a refresh token that `rotateTo` did not rotate. The immediate predecessor gets the same successor again within the client's
 * retry window, or if its rotation got no answer (D-226). Any other older token counts as reused: its family and grant end.
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 * @see RFC 9700 §4.14.2
 */
async function retryRefresh(context: RefreshContext, presented: PresentedToken): Promise<Rotated> {
  const { client, token, narrowed, now } = presented;
  const { handleHash, secretHash } = hashesOf(token);
  const [family] = await readFamily(context.pool, [handleHash, secretHash, client, now]);
  if (!family?.own) throw await refuseClientFirst(context, client, invalidGrant());
  if (family.ended || !family.live) throw invalidGrant();
  const isLost = !family.current && !family.retryable && (await wasLost(context, family));
  if (!family.current && !family.retryable && !isLost) {
    await revokeFamily(context, presented, family.grant_id);
    throw invalidGrant();
  }
  if (narrowed?.some((scope) => !family.scope.split(' ').includes(scope))) throw tooWide();
  // the grant or client has become live since `rotateTo`, which would rotate the token now
  if (family.current) throw invalidGrant();
  const value = heldSuccessorOf(token, context.secrets, family.secret_hash);
  // the KEY_ENCRYPTION_KEY that derived the successor is no longer configured
  if (value === undefined) throw invalidGrant();
  return isLost ? repeatRotation(context, presented, family, value) : { family, value };
}

async function wasLost(context: RefreshContext, { rotated_in, rotated_at }: PresentedFamily): Promise<boolean> {
  return rotated_in !== null && rotated_at !== null && !(await wasAnswered(context, rotated_in, rotated_at));
}

function tooWide(): OAuthError {
  return new OAuthError('invalid_scope', 'scope is wider than the original grant');
}

/** The error for a refresh token that is refused. @see RFC 6749 §5.2 */
function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'refresh_token is invalid, expired or revoked');
}
