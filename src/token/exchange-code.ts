import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { revokeGrant } from '../grant/revoke-grant.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { idOf, tryUuidOf, type Uuid } from '../identifier/type-id.ts';
import type { WithKeys } from '../keys/key-ring.ts';
import { after } from '../oauth/lifetimes.ts';
import { OAuthError } from '../oauth/oauth-error.ts';
import { challengeOf, isCodeVerifier } from '../oauth/pkce.ts';
import {
  epochSeconds,
  GRANT_COLUMNS,
  type GrantRow,
  grantSubject,
  type IssuedTokens,
  issueTokens,
} from './issue-tokens.ts';
import { refuseClientFirst, unknownClient } from './known-client.ts';
import { hashesOf, newRefreshToken } from './refresh-token.ts';

/** A token request with `grant_type=authorization_code`. */
export interface CodeExchange {
  clientId: string;
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

interface SpentCode extends GrantRow {
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  refreshable: boolean;
}

/**
 * One round trip: spends the code if it is live and this client's, and creates the refresh token family if the rest of the
 * request is right too. A wrong redirect URI or verifier also spends the code.
 */
const spendCode = prepared<SpentCode>(`
  with spent as (
    update authorization_code set used_at = $3
    where hash = $1 and client_id = $2 and used_at is null and expires_at > $3
    returning client_id, grant_id, redirect_uri, code_challenge, nonce, authenticated_at
  ), live as (
    select spent.*, g.scope ~ '(^| )offline_access( |$)' and 'offline_access' = any(c.scopes) as refreshable,
      ${GRANT_COLUMNS}
    from spent join consent_grant g on g.id = spent.grant_id join client c on c.id = spent.client_id
  ), family as (
    insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
    select $6, $7, client_id, grant_id, authenticated_at, $8 from live
    where live and refreshable and redirect_uri = $4 and code_challenge = $5
  )
  select live.*, floor(extract(epoch from authenticated_at))::int as auth_time from live`);

/**
 * Exchanges an authorization code for tokens.
 * @throws OAuthError `invalid_request` naming what is wrong
 * @deviation RFC 6749 §5.2: a wrong code, redirect URI or verifier is `invalid_request`, as spec §7 says, not `invalid_grant`
 * @see spec §5.8, RFC 6749 §4.1.3, RFC 7636 §4.6
 */
export async function exchangeCode(
  context: Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId'> & WithKeys,
  exchange: CodeExchange,
): Promise<IssuedTokens> {
  const { pool, config } = context;
  const issuedAt = context.now();
  const client = tryUuidOf('client', exchange.clientId);
  if (client === undefined) throw unknownClient();
  const hash = hashOf(exchange.code);
  const challenge = answeredChallenge(exchange.codeVerifier);
  const refreshToken = newRefreshToken();
  const refreshHashes = hashesOf(refreshToken);
  const refreshExpiresAt = after(issuedAt, config.refreshTokenTtl);
  const [spent] = await spendCode(pool, [
    hash,
    client,
    issuedAt,
    exchange.redirectUri,
    challenge,
    refreshHashes.handleHash,
    refreshHashes.secretHash,
    refreshExpiresAt,
  ]);
  if (!spent) throw await refusal(context, hash, client);
  if (spent.redirect_uri !== exchange.redirectUri) {
    throw new OAuthError('invalid_request', 'redirect_uri does not match the authorize request');
  }
  if (spent.code_challenge !== challenge) throw new OAuthError('invalid_request', 'Invalid PKCE code_verifier');
  if (!spent.live) throw new OAuthError('invalid_request', 'code was revoked');
  const response = await issueTokens(context, {
    ...grantSubject(spent, spent.scope.split(' ')),
    clientId: idOf('client', client),
    issuedAt,
    nonce: spent.nonce,
    refreshToken: spent.refreshable ? { value: refreshToken, expiresAt: epochSeconds(refreshExpiresAt) } : null,
  });
  return { response, grant: spent.grant_id, fan: spent.fan_id };
}

/** The challenge of a verifier; empty for a malformed one, which matches none. @see RFC 7636 §4.1, §4.6 */
function answeredChallenge(verifier: string): string {
  return isCodeVerifier(verifier) ? challengeOf(verifier) : '';
}

/** Why a code was not spent. A second use means that the code leaked or was sent twice: its grant is revoked (RFC 6749 §4.1.2). */
async function refusal(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  hash: string,
  client: Uuid,
): Promise<OAuthError> {
  const [code] = await context.em.execute<{ client_id: Uuid; grant_id: Uuid; used: boolean }[]>(
    `select client_id, grant_id, used_at is not null as used from authorization_code where hash = ?`,
    [hash],
  );
  const invalidCode = new OAuthError('invalid_request', 'code is invalid or expired');
  if (!code) return refuseClientFirst(context, client, invalidCode);
  if (code.client_id !== client)
    return new OAuthError('invalid_request', 'client_id does not match the authorize request');
  if (!code.used) return invalidCode;
  const actor = `client:${idOf('client', client)}`;
  await revokeGrant(context, { grantId: idOf('grant', code.grant_id), reason: 'code_reuse', actor });
  return new OAuthError('invalid_request', 'code has been used already');
}
