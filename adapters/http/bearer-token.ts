import type { Context } from 'koa';
import { DomainError } from '../../src/errors.ts';

/** @see RFC 6750 §2.1 */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The bearer token of a request's Authorization header.
 * @throws DomainError `access_token_missing` or `access_token_malformed`
 */
export function bearerToken(ctx: Context): string {
  const header = ctx.get('Authorization');
  if (header === '')
    throw new DomainError('access_token_missing', 'An access token is required: Authorization: Bearer <token>.');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) {
    throw new DomainError('access_token_malformed', 'The Authorization header must be: Bearer <token>.');
  }
  return token;
}
