import { createHash, randomBytes } from 'node:crypto';
import type { GrantMode } from '../../entities/consent-grant.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import { ID_TOKEN_LIFETIME } from '../../keys/lifetimes.ts';
import { signJwt } from '../../keys/sign-jwt.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import { actionsOf } from '../../partners/scopes.ts';
import type { WithConfig } from '../../platform/context.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { GrantRow } from './statements.ts';

/** The `aud` of access tokens (spec §5.11). */
export const API_AUDIENCE = 'svc-api';

/** The grant and the parameters from which tokens are issued. Numbers are seconds since the epoch. */
export interface TokenSubject {
  userId: Id<'usr'>;
  clientId: Id<'client'>;
  mode: Mode;
  grantId: Id<'grant'>;
  grantMode: GrantMode;
  scopes: string[];
  grantedActions: string[];
  /** When the fan was authenticated. */
  authTime: number;
  /** How the fan was authenticated; undefined for grants made before it was stored. @see RFC 8176 */
  amr: string[] | undefined;
  /** From the authorize request; null where it had none, and on refresh. */
  nonce: string | null;
  refreshToken: { value: string; expiresAt: number } | null;
  issuedAt: Date;
}

/** The token response of spec §5.9. */
export interface TokenResponse {
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  granted_actions: string[];
  grant_id: Id<'grant'>;
  grant_mode: GrantMode;
  mode: Mode;
  access_token: string;
  id_token?: string;
  refresh_token?: string;
  refresh_token_expires_in?: number;
}

/** A token response with its grant and fan. */
export interface IssuedTokens {
  response: TokenResponse;
  grant: Uuid;
  fan: Uuid;
}

/** The part of a `TokenSubject` that comes from the grant. @param asked the grant's scopes, or those that a refresh narrows them to */
export function grantSubject(
  row: GrantRow,
  asked: string[],
): Omit<TokenSubject, 'clientId' | 'nonce' | 'refreshToken' | 'issuedAt'> {
  const scopes = asked.filter((scope) => row.client_scopes.includes(scope));
  return {
    userId: idOf('usr', row.fan_id),
    mode: row.mode,
    grantId: idOf('grant', row.grant_id),
    grantMode: row.grant_mode,
    scopes,
    grantedActions: actionsOf(scopes).filter((action) => row.actions.includes(action)),
    authTime: row.auth_time,
    amr: row.amr?.split(' '),
  };
}

/** Signs an access token and, where `openid` is among the scopes, an ID token. Writes nothing to the database. */
export async function issueTokens(
  context: WithConfig & WithKeys & WithTokenClock,
  subject: TokenSubject,
): Promise<TokenResponse> {
  const { config, tokenClock } = context;
  const issuedAt = epochSeconds(subject.issuedAt);
  const iat = issuedAt + tokenClock.aheadFor(subject.clientId, subject.issuedAt);
  const scope = subject.scopes.join(' ');
  const accessToken = await signJwt(context, 'at+jwt', {
    iss: config.authUrl,
    aud: API_AUDIENCE,
    sub: subject.userId,
    client_id: subject.clientId,
    scope,
    granted_actions: subject.grantedActions,
    grant_id: subject.grantId,
    mode: subject.mode,
    jti: randomBytes(16).toString('base64url'),
    iat,
    exp: iat + config.accessTokenTtl,
  });
  return {
    token_type: 'Bearer',
    expires_in: config.accessTokenTtl,
    scope,
    granted_actions: subject.grantedActions,
    grant_id: subject.grantId,
    grant_mode: subject.grantMode,
    mode: subject.mode,
    access_token: accessToken,
    ...(subject.scopes.includes('openid') && { id_token: await idToken(context, subject, { accessToken, iat }) }),
    ...(subject.refreshToken && {
      refresh_token: subject.refreshToken.value,
      refresh_token_expires_in: subject.refreshToken.expiresAt - issuedAt,
    }),
  };
}

/** The NumericDate of a moment: whole seconds since the epoch. @see RFC 7519 §2 */
export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

/** @see OIDC Core §2, §3.1.3.6 (at_hash), §12.2 (no nonce on refresh) */
async function idToken(
  context: WithConfig & WithKeys,
  subject: TokenSubject,
  { accessToken, iat }: { accessToken: string; iat: number },
): Promise<string> {
  return signJwt(context, 'JWT', {
    iss: context.config.authUrl,
    sub: subject.userId,
    aud: subject.clientId,
    iat,
    exp: iat + ID_TOKEN_LIFETIME,
    auth_time: subject.authTime,
    ...(subject.amr && { amr: subject.amr }),
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...(subject.nonce !== null && { nonce: subject.nonce }),
  });
}
