import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { ChainError } from '../../src/chain-error.ts';
import { DomainError, type DomainErrorCode } from '../../src/errors.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestState } from '../http/request-id.ts';

/** The Fan API's answers to errors: a status, `{ "message" }`, and a stable code in `X-Error-Code`. @see spec §7 */
interface Refusal {
  status: number;
  code: string;
  message: string;
  retryAfter?: number | undefined;
}

const STATUS: Partial<Record<DomainErrorCode, number>> = {
  access_token_missing: 401,
  access_token_malformed: 401,
  access_token_invalid: 401,
  access_token_expired: 401,
  grant_revoked: 401,
  action_not_granted: 401,
  scope_missing: 403,
  invalid_request: 400,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  // no fault that passes: without Retry-After
  cluster_missing: 503,
};

/** Turns whatever the handlers throw, and unknown routes, into an ErrorResponse. */
export function fanErrors(log: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) answer(ctx, unroutable(ctx));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500) log.error({ err: error, requestId: ctx.state.requestId }, 'Fan API call failed');
      answer(ctx, refusal);
    }
  };
}

function answer(ctx: Context, { status, code, message, retryAfter }: Refusal): void {
  ctx.status = status;
  ctx.set('X-Error-Code', code);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (status === 401) ctx.set('WWW-Authenticate', challenge(code, message));
  if (status === 403) ctx.set('WWW-Authenticate', `Bearer error="insufficient_scope"`);
  ctx.body = { message };
}

/** RFC 6750 §3.1: a request without a token is told the scheme and nothing more. */
function challenge(code: string, message: string): string {
  if (code === 'access_token_missing') return 'Bearer';
  return `Bearer error="invalid_token", error_description="${message.replace(/["\\]/g, "'")}"`;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof ChainError) return { status: 400, code: error.code, message: error.message };
  if (error instanceof RequestError) return { status: error.status, code: 'invalid_request', message: error.message };
  if (isDependencyDown(error)) {
    const told = error instanceof DomainError ? error : undefined;
    return {
      status: 503,
      code: 'unavailable',
      message: told?.message ?? 'The service is unavailable for the moment; try again.',
      retryAfter: told?.retryAfter ?? RETRY_AFTER_SECONDS,
    };
  }
  if (error instanceof DomainError) {
    const { code, message, retryAfter } = error;
    return { status: STATUS[code] ?? 500, code, message, retryAfter };
  }
  return { status: 500, code: 'internal', message: 'Something went wrong on our side.' };
}

function unroutable(ctx: Context): Refusal {
  if (ctx.status === 405) {
    return { status: 405, code: 'method_not_allowed', message: `${ctx.method} is not allowed here.` };
  }
  return { status: 404, code: 'unknown_route', message: `There is no ${ctx.path} here.` };
}
