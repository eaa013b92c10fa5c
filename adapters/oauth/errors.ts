import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { DomainError } from '../../src/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../src/oauth/oauth-error.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import { BodyError } from '../http/read-body.ts';
import type { RequestState } from '../http/request-id.ts';

/** The authorization server's answers to errors: `{ "error", "error_description" }`. @see RFC 6749 §5.2 */

/** The RFC's codes, and RFC 6749 §4.1.2.1's `server_error` for what is our own fault. */
type Answered = OAuthErrorCode | 'server_error';

/** Errors of the token and revocation endpoints, and unknown routes. */
export function oauthErrors(log: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) answerUnroutable(ctx);
    } catch (error) {
      if (error instanceof OAuthError) {
        if (error.error === 'invalid_client') ctx.set('WWW-Authenticate', 'Basic realm="oauth2"');
        answer(ctx, error.error === 'invalid_client' ? 401 : 400, error.error, error.message);
      } else if (error instanceof BodyError) {
        answer(ctx, error.status === 413 ? 413 : 400, 'invalid_request', error.message);
      } else if (error instanceof DomainError && error.code === 'rate_limited') {
        answer(ctx, 429, 'temporarily_unavailable', error.message);
      } else if (isDependencyDown(error)) {
        log.error({ err: error, requestId: ctx.state.requestId }, 'a dependency is down');
        ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
        answer(ctx, 503, 'temporarily_unavailable', 'the service is unavailable for the moment; try again');
      } else {
        log.error({ err: error, requestId: ctx.state.requestId }, 'authorization server call failed');
        answer(ctx, 500, 'server_error', 'something went wrong on our side');
      }
    }
  };
}

/** The answer of the userinfo endpoint to a token that is no good. @see RFC 6750 §3, spec §7 */
export function answerInvalidToken(ctx: Context, error: DomainError): void {
  const bare =
    error.code === 'access_token_missing' ? '' : `, error_description="${error.message.replace(/["\\]/g, "'")}"`;
  ctx.set('WWW-Authenticate', `Bearer error="invalid_token"${bare}`);
  answer(ctx, 401, 'invalid_token', error.message);
}

/** The answer where a good token asks for what is not its own. */
export function answerNotFound(ctx: Context, error: DomainError): void {
  answer(ctx, 404, 'invalid_request', error.message);
}

function answer(ctx: Context, status: number, error: Answered, description: string): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}

function answerUnroutable(ctx: Context): void {
  const method = ctx.status === 405 || ctx.status === 501;
  const description = method ? `${ctx.method} is not allowed here` : `there is no ${ctx.path} here`;
  answer(ctx, method ? 405 : 404, 'invalid_request', description);
}
