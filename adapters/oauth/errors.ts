import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { DomainError } from '../../src/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../src/oauth/oauth-error.ts';
import { answerRefusal } from '../http/answer-refusals.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import type { ShapeFinder } from '../http/error-shape.ts';
import { showPage } from '../http/plain-page.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestState } from '../http/request-id.ts';
import { unavailablePage } from './error-page.ts';

/** The authorization server's answers to errors: `{ "error", "error_description" }`. @see RFC 6749 §5.2 */

/** The RFC's codes, and RFC 6749 §4.1.2.1's `server_error` for what is our own fault. */
type Answered = OAuthErrorCode | 'server_error';

/** Whatever goes wrong at the endpoints, and unknown routes. Where a person waits at a browser the answer is a page. */
export function oauthErrors(log: Logger, shapeOf: ShapeFinder): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) unroutable(ctx, shapeOf);
    } catch (error) {
      if (error instanceof RequestError) {
        answerRefusal(ctx, shapeOf, error);
      } else if (error instanceof OAuthError) {
        if (error.error === 'invalid_client') ctx.set('WWW-Authenticate', 'Basic realm="oauth2"');
        answer(ctx, error.error === 'invalid_client' ? 401 : 400, error.error, error.message);
      } else if (error instanceof DomainError && error.code === 'rate_limited') {
        answer(ctx, 429, 'temporarily_unavailable', error.message);
      } else {
        answerFault(ctx, error, log, shapeOf(ctx.host, ctx.path) === 'page');
      }
    }
  };
}

/** A fault that is not the caller's. */
function answerFault(ctx: Context, error: unknown, log: Logger, asPage: boolean): void {
  const { requestId } = ctx.state as RequestState;
  const down = isDependencyDown(error);
  log.error({ err: error, requestId }, down ? 'a dependency is down' : 'authorization server call failed');
  if (down) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
  if (asPage) showPage(ctx, down ? 503 : 500, unavailablePage(requestId));
  else if (down) answer(ctx, 503, 'temporarily_unavailable', 'the service is unavailable for the moment; try again');
  else answer(ctx, 500, 'server_error', 'something went wrong on our side');
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

function unroutable(ctx: Context, shapeOf: ShapeFinder): void {
  if (ctx.status === 405) answerRefusal(ctx, shapeOf, new RequestError(405, `${ctx.method} is not allowed here`));
  else answer(ctx, 404, 'invalid_request', `there is no ${ctx.path} here`);
}
