import type { Context as Koa } from 'koa';
import { DomainError } from '../../src/errors.ts';
import { type GrantAccess, readGrantAccess } from '../../src/grant/grant-access.ts';
import type { WithKeys } from '../../src/keys/key-ring.ts';
import type { Action } from '../../src/oauth/scopes.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { type AccessTokenPayload, verifyAccessToken } from '../../src/token/verify-access-token.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { countCall, type Limiter } from '../http/rate-limit.ts';
import { learnToken } from '../http/record-requests.ts';

/**
 * Verifies the request's access token and counts the call against its grant's limit.
 * @throws DomainError of `verifyAccessToken`, or `rate_limited`
 */
export async function authenticate(
  context: Pick<ServiceContext, 'config' | 'now'> & WithKeys,
  ctx: Koa,
  limiter: Limiter,
): Promise<AccessTokenPayload> {
  const token = await verifyAccessToken(context, bearerToken(ctx));
  learnToken(ctx, token);
  const retryAfter = await countCall(ctx, limiter, token.grant_id);
  if (retryAfter !== undefined) {
    throw new DomainError('rate_limited', `Too many requests; try again in ${retryAfter} s.`, { retryAfter });
  }
  return token;
}

/**
 * As `authenticate`, and asks for the access of one action.
 * @throws DomainError of `authenticate` and `readGrantAccess`, in the order in which the Fan API answers
 */
export async function authorize(
  context: Pick<ServiceContext, 'config' | 'now' | 'pool'> & WithKeys,
  ctx: Koa,
  limiter: Limiter,
  action: Action,
): Promise<GrantAccess> {
  return readGrantAccess(context, await authenticate(context, ctx, limiter), action);
}
