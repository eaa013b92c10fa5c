import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { DomainError, type DomainErrorCode } from '../../src/errors.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import { showPage } from '../http/plain-page.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestState } from '../http/request-id.ts';
import { faultPage, refusalPage } from './auth-pages.ts';

const STATUS: Partial<Record<DomainErrorCode, number>> = {
  forbidden: 403,
  fresh_sign_in_required: 403,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

/** Whatever goes wrong while somebody signs in ends in a page that says what to do: a person waits at the browser. */
export function authErrors(log: Logger, signInUrl: string): Middleware<RequestState> {
  return async (ctx, next) => {
    const { requestId } = ctx.state;
    // the address that began is the one to try again; one that was sent back with a code is spent
    const again = ctx.path === new URL(signInUrl).pathname ? `${ctx.path}${ctx.search}` : signInUrl;
    try {
      await next();
    } catch (error) {
      if (error instanceof DomainError) {
        const status = STATUS[error.code] ?? 400;
        if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
        if (error.cause !== undefined) log.warn({ err: error, requestId }, 'staff sign-in refused');
        showPage(ctx, status, refusalPage(error.message, requestId, again));
      } else if (error instanceof RequestError) {
        showPage(ctx, error.status, refusalPage(error.message, requestId, again));
      } else {
        log.error({ err: error, requestId }, 'staff sign-in failed');
        const down = isDependencyDown(error);
        if (down) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
        showPage(ctx, down ? 503 : 500, faultPage(requestId, again));
      }
    }
  };
}
