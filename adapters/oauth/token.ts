import { decodeJwt } from 'jose';
import type { Context as Koa } from 'koa';
import { networkOf } from '../../src/abuse/network-of.ts';
import { DomainError } from '../../src/errors.ts';
import { tryUuidOf } from '../../src/identifier/type-id.ts';
import { OAuthError } from '../../src/oauth/oauth-error.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { exchangeCode } from '../../src/token/exchange-code.ts';
import type { TokenResponse } from '../../src/token/issue-tokens.ts';
import { refreshTokens } from '../../src/token/refresh-tokens.ts';
import { revokeToken } from '../../src/token/revoke-token.ts';
import { countCall, type Limiter, limitReached } from '../http/rate-limit.ts';
import { learn } from '../http/record-requests.ts';
import { type Form, readForm } from './form.ts';

/** `POST /oauth2/token`. Refused requests are counted by address; attempts to authenticate the client are not. */
export async function handleToken(context: ServiceContext, ctx: Koa, failures: Limiter): Promise<void> {
  noStore(ctx);
  learn(ctx, { operation: 'token.request' });
  const retryAfter = await limitReached(ctx, failures, networkOf(ctx.ip));
  if (retryAfter !== undefined) {
    throw new DomainError('rate_limited', `too many refused requests; try again in ${retryAfter} s`, { retryAfter });
  }
  const form = await readForm(ctx);
  try {
    learnForm(ctx, form);
    const tokens = await answerGrant(context, form);
    learnIssued(ctx, tokens);
    ctx.body = tokens;
  } catch (error) {
    if (error instanceof OAuthError) await countCall(ctx, failures, networkOf(ctx.ip));
    throw error;
  }
}

function learnForm(ctx: Koa, form: Form): void {
  learnClient(ctx, form);
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') learn(ctx, { operation: 'token.exchange' });
  if (grantType === 'refresh_token') learn(ctx, { operation: 'token.refresh' });
}

function learnClient(ctx: Koa, form: Form): void {
  learn(ctx, { client: tryUuidOf('client', form.get('client_id') ?? '') ?? null });
}

function learnIssued(ctx: Koa, tokens: TokenResponse): void {
  const { sub = '' } = decodeJwt(tokens.access_token);
  learn(ctx, { grant: tryUuidOf('grant', tokens.grant_id) ?? null, fan: tryUuidOf('usr', sub) ?? null });
}

function answerGrant(context: ServiceContext, form: Form): Promise<TokenResponse> {
  const grantType = form.require('grant_type');
  switch (grantType) {
    case 'authorization_code':
      return exchangeCode(context, {
        clientId: form.require('client_id'),
        code: form.require('code'),
        redirectUri: form.require('redirect_uri'),
        codeVerifier: form.require('code_verifier'),
      });
    case 'refresh_token':
      return refreshTokens(context, {
        clientId: form.require('client_id'),
        refreshToken: form.require('refresh_token'),
        scope: form.get('scope'),
      });
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

/** `POST /oauth2/revoke`: 200 and an empty body, also for a token that is not known. @see RFC 7009 §2.2 */
export async function handleRevoke(context: ServiceContext, ctx: Koa): Promise<void> {
  noStore(ctx);
  learn(ctx, { operation: 'token.revoke' });
  const form = await readForm(ctx);
  learnClient(ctx, form);
  await revokeToken(context, form.require('client_id'), form.require('token'));
  ctx.status = 200;
  ctx.body = '';
  // Koa would call nothing text/plain, which some browser libraries refuse
  ctx.remove('Content-Type');
}

/** @see RFC 6749 §5.1 */
function noStore(ctx: Koa): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
}
