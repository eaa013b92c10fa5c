import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { ChainError, type ChainErrorCode } from '../../../src/platform/chain-error.ts';
import { DomainError, ERRORS, type ErrorCode } from '../../../src/platform/errors.ts';
import { isForBrowser } from '../../fan-pages/plain-pages/answer-unknown.ts';
import { logFailure, serverError } from '../../http/dependency.ts';
import { RequestError } from '../../http/request-error.ts';
import type { RequestContext, RequestState } from '../../http/request-state.ts';

interface ErrorAnswer {
  status: number;
  code: ErrorCode | ChainErrorCode;
  message: string;
  retryAfter?: number | undefined;
}

/** The Fan API's error answers: a status, `{ "message" }`, and a stable code in `X-Error-Code`. @see spec §7 */
export function fanErrors(log: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400 && !isStartPage(ctx)) answer(ctx, unrouted(ctx));
    } catch (error) {
      const described = describe(error);
      logError(log, ctx, error, described);
      answer(ctx, described);
    }
  };
}

/** Writes no line for a caller's mistake: the request log has it. */
function logError(log: Logger, ctx: RequestContext, error: unknown, { status }: ErrorAnswer): void {
  if (status < 500 || error instanceof RequestError) return;
  if (error instanceof DomainError && error.isExpected)
    log.info({ requestId: ctx.state.requestId, reason: error.message }, 'Fan API call put off');
  else logFailure(log, ctx.state, error, 'Fan API call failed');
}

function answer(ctx: Context, { status, code, message, retryAfter }: ErrorAnswer): void {
  ctx.status = status;
  ctx.set('X-Error-Code', code);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (status === 401) ctx.set('WWW-Authenticate', challenge(code, message));
  if (status === 403) ctx.set('WWW-Authenticate', `Bearer error="insufficient_scope"`);
  ctx.body = { message };
}

/** RFC 6750 §3.1: without a token the answer has only the scheme. */
function challenge(code: string, message: string): string {
  if (code === 'access_token_missing') return 'Bearer';
  return `Bearer error="invalid_token", error_description="${message.replace(/["\\]/g, "'")}"`;
}

function describe(error: unknown): ErrorAnswer {
  if (error instanceof ChainError) return { status: 400, code: error.code, message: error.message };
  if (error instanceof RequestError) return { status: error.status, code: 'invalid_request', message: error.message };
  if (!(error instanceof DomainError) || error.code === 'unavailable') return serverError(error);
  const { code, message, retryAfter } = error;
  return { status: ERRORS[code].status, code, message, retryAfter };
}

/** Whether a person opens the root of the API's own host, which `answer-unknown.ts` answers. */
function isStartPage(ctx: Context): boolean {
  return ctx.status === 404 && ctx.path === '/' && isForBrowser(ctx);
}

function unrouted({ status, method, path }: Context): ErrorAnswer {
  return status === 405
    ? { status, code: 'method_not_allowed', message: `${method} is not allowed here.` }
    : { status: 404, code: 'unknown_route', message: `There is no ${path} here.` };
}
