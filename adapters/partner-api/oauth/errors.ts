import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { DomainError, ERRORS } from '../../../src/platform/errors.ts';
import { OAuthError, type OAuthErrorCode } from '../../../src/platform/oauth-error.ts';
import { isForBrowser } from '../../fan-pages/plain-pages/answer-unknown.ts';
import { unavailablePage } from '../../fan-pages/plain-pages/fan-pages.ts';
import { answerRequestError } from '../../http/answer-request-errors.ts';
import { logFailure, serverError } from '../../http/dependency.ts';
import type { ErrorShapeOf } from '../../http/error-shape.ts';
import { RequestError } from '../../http/request-error.ts';
import type { RequestContext, RequestState } from '../../http/request-state.ts';
import { showPage } from '../../http/show-page.ts';

/** RFC 6749 §4.1.2.1 has `server_error` for a fault of the server. */
type ErrorCode = OAuthErrorCode | 'server_error';

/** The authorization server's error answers: `{ "error", "error_description" }`, or a page for a person at a browser. @see RFC 6749 §5.2 */
export function oauthErrors(log: Logger, shapeOf: ErrorShapeOf): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) answerUnrouted(ctx, shapeOf);
    } catch (error) {
      if (error instanceof RequestError) answerRequestError(ctx, shapeOf, error);
      else if (error instanceof OAuthError) answerOAuthError(ctx, error);
      else if (error instanceof DomainError && ERRORS[error.code].kind === 'token') answerInvalidToken(ctx, error);
      else if (error instanceof DomainError && error.code === 'not_found')
        answer(ctx, 404, 'invalid_request', error.message);
      else if (error instanceof DomainError && error.code === 'rate_limited') answerRateLimited(ctx, error);
      else answerServerError(ctx, error, log, shapeOf(ctx.host, ctx.path) === 'page');
    }
  };
}

function answerOAuthError(ctx: RequestContext, { error, message }: OAuthError): void {
  if (error === 'invalid_client') ctx.set('WWW-Authenticate', 'Basic realm="oauth2"');
  answer(ctx, error === 'invalid_client' ? 401 : 400, error, message);
}

/** @see RFC 6750 §3, spec §7 */
function answerInvalidToken(ctx: RequestContext, { code, message }: DomainError): void {
  const description = code === 'access_token_missing' ? '' : `, error_description="${message.replace(/["\\]/g, "'")}"`;
  ctx.set('WWW-Authenticate', `Bearer error="invalid_token"${description}`);
  answer(ctx, 401, 'invalid_token', message);
}

function answerRateLimited(ctx: RequestContext, { message, retryAfter }: DomainError): void {
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  answer(ctx, 429, 'temporarily_unavailable', message);
}

function answerServerError(ctx: RequestContext, error: unknown, log: Logger, asPage: boolean): void {
  const { status, retryAfter } = serverError(error);
  const down = status === 503;
  logFailure(log, ctx.state, error, down ? 'a dependency is down' : 'authorization server call failed');
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (asPage) showPage(ctx, status, unavailablePage);
  else if (down) answer(ctx, 503, 'temporarily_unavailable', 'the service is unavailable for the moment; try again');
  else answer(ctx, 500, 'server_error', 'something went wrong on our side');
}

function answerUnrouted(ctx: RequestContext, shapeOf: ErrorShapeOf): void {
  if (ctx.status === 405) answerRequestError(ctx, shapeOf, new RequestError(405, `${ctx.method} is not allowed here`));
  // a browser gets a page (`answer-unknown.ts`)
  else if (!isForBrowser(ctx)) answer(ctx, 404, 'invalid_request', `there is no ${ctx.path} here`);
}

function answer(ctx: RequestContext, status: number, error: ErrorCode, description: string): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}
