import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import type { SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, tryUuidOf } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import { after } from '../../platform/time.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { wasAnswered } from '../../record/activity/was-answered.ts';
import { revokeGrant } from '../grant/revoke-grant.ts';
import { challengeOf, isCodeVerifier } from '../pkce.ts';
import { epochSeconds, grantSubject, type IssuedTokens, issueTokens } from './issue-tokens.ts';
import { refuseClientFirst, unknownClient } from './known-client.ts';
import { spendOnce } from './lost-answer.ts';
import { hashesOf, newRefreshToken } from './refresh-token.ts';
import { type GivenExchange, readCode, spendCode } from './statements.ts';

/** A token request with `grant_type=authorization_code`. */
export interface CodeExchange {
  clientId: string;
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

type ExchangeContext = WriteContext & SqlContext & WithConfig & WithKeys & WithActivity & WithTokenClock;

/**
 * Exchanges an authorization code for tokens.
 * @throws OAuthError `invalid_request`, whose message names the fault
 * @throws DomainError `unavailable` where it is unknown whether the code was exchanged
 * @deviation RFC 6749 §5.2: a wrong code, redirect URI or verifier is `invalid_request`, as spec §7 requires, not `invalid_grant`
 * @see spec §5.8, RFC 6749 §4.1.3, RFC 7636 §4.6
 */
export async function exchangeCode(context: ExchangeContext, exchange: CodeExchange): Promise<IssuedTokens> {
  const now = context.now();
  const client = tryUuidOf('client', exchange.clientId);
  if (client === undefined) throw unknownClient();
  const refreshToken = newRefreshToken();
  const refreshExpiresAt = after(now, context.config.refreshTokenTtl);
  const { handleHash, secretHash } = hashesOf(refreshToken);
  const given: GivenExchange = {
    hash: hashOf(exchange.code),
    client,
    redirect_uri: exchange.redirectUri,
    challenge: answeredChallenge(exchange.codeVerifier),
    handle_hash: handleHash,
    secret_hash: secretHash,
    refresh_expires_at: refreshExpiresAt,
    now,
    request: context.requestId,
  };
  const spent = await spendOnce(context, spendCode, given);
  if (spent === undefined) throw await judgeUnspent(context, given);
  if (!spent.right_redirect)
    throw new OAuthError('invalid_request', 'redirect_uri does not match the authorize request');
  if (!spent.right_verifier) throw new OAuthError('invalid_request', 'Invalid PKCE code_verifier');
  if (!spent.live) throw new OAuthError('invalid_request', 'code was revoked');
  const response = await issueTokens(context, {
    ...grantSubject(spent, spent.scope.split(' ')),
    clientId: idOf('client', client),
    issuedAt: now,
    nonce: spent.nonce,
    refreshToken: spent.refreshable ? { value: refreshToken, expiresAt: epochSeconds(refreshExpiresAt) } : null,
  });
  return { response, grant: spent.grant_id, fan: spent.fan_id };
}

/** The challenge of a verifier; empty for a malformed verifier, which then matches no challenge. @see RFC 7636 §4.1, §4.6 */
function answeredChallenge(verifier: string): string {
  return isCodeVerifier(verifier) ? challengeOf(verifier) : '';
}

/**
 * Finds out why the code was not spent. A code that is used twice has leaked, or was sent twice: its grant is revoked (RFC 6749 §4.1.2),
 * unless the first use got no answer (D-226). Even then the code is not exchanged again, because its refresh token was random and
 * only the hashes of that token are stored.
 */
async function judgeUnspent(context: ExchangeContext, { hash, client }: GivenExchange): Promise<OAuthError> {
  const [code] = await readCode(context.pool, [hash]);
  const invalidCode = new OAuthError('invalid_request', 'code is invalid or expired');
  if (!code) return refuseClientFirst(context, client, invalidCode);
  if (code.client_id !== client)
    return new OAuthError('invalid_request', 'client_id does not match the authorize request');
  if (code.used_at === null) return invalidCode;
  if (code.used_in === null || (await wasAnswered(context, code.used_in, code.used_at))) {
    const grantId = idOf('grant', code.grant_id);
    await revokeGrant(context, { grantId, reason: 'code_reuse', actor: `client:${idOf('client', client)}` });
  }
  return new OAuthError('invalid_request', 'code has been used already');
}
