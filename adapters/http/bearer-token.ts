import type { WithKeys } from '../../src/keys/key-ring.ts';
import { type AccessTokenPayload, verifyAccessToken } from '../../src/oauth/token/verify-access-token.ts';
import type { WithTokenClock } from '../../src/partners/client/token-clock.ts';
import type { Context } from '../../src/platform/context.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { tryUuidOf } from '../../src/platform/identifier/type-id.ts';
import type { Caller, RequestContext } from './request-state.ts';

/** @see RFC 6750 §2.1 */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The callers of verified tokens, remembered because a token is used many times. */
const callers = new WeakMap<AccessTokenPayload, Caller>();

/**
 * Verifies the access token in the Authorization header and notes its caller for the request log.
 * @throws DomainError `access_token_missing`, `access_token_malformed`, or of `verifyAccessToken`
 */
export async function verifyBearer(
  context: Pick<Context, 'config' | 'now'> & WithKeys & WithTokenClock,
  ctx: RequestContext,
): Promise<AccessTokenPayload> {
  const token = await verifyAccessToken(context, bearerToken(ctx.get('Authorization')));
  ctx.state.caller = callerOf(token);
  return token;
}

/** The token of an Authorization header. @throws DomainError `access_token_missing`, `access_token_malformed` */
export function bearerToken(header: string): string {
  if (header === '')
    throw new DomainError('access_token_missing', 'An access token is required: Authorization: Bearer <token>.');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw new DomainError('access_token_malformed', 'The Authorization header must be: Bearer <token>.');
  return token;
}

function callerOf(token: AccessTokenPayload): Caller {
  const known = callers.get(token);
  if (known) return known;
  const caller = {
    client: tryUuidOf('client', token.client_id),
    grant: tryUuidOf('grant', token.grant_id),
    fan: tryUuidOf('usr', token.sub),
    mode: token.mode,
  };
  callers.set(token, caller);
  return caller;
}
