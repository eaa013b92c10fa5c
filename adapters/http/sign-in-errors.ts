import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Audience } from '../../src/entities/account.ts';
import { DomainError, type DomainErrorCode, ERRORS } from '../../src/platform/errors.ts';
import { serverError } from './dependency.ts';
import type { PlainPage } from './plain-page.ts';
import { RequestError } from './request-error.ts';
import type { RequestContext, RequestState } from './request-state.ts';
import { showPage } from './show-page.ts';

/** A link for someone who is not known is a bad request, not an unknown page. */
const OVERRIDES: Partial<Record<DomainErrorCode, 400>> = { not_found: 400 };

/** Answers every error of the sign-in with a page, because a person waits at the browser. @param who signs in */
export function signInErrors(log: Logger, signInUrl: string, who: Audience): Middleware<RequestState> {
  return async (ctx, next) => {
    const { requestId } = ctx.state;
    // the first address of the sign-in can be tried again; a callback with a code is spent
    const again = ctx.path === new URL(signInUrl).pathname ? `${ctx.path}${ctx.search}` : signInUrl;
    try {
      await next();
    } catch (error) {
      if (error instanceof DomainError) {
        const status = OVERRIDES[error.code] ?? ERRORS[error.code].status;
        const wait = status === 503 ? serverError(error).retryAfter : error.retryAfter;
        if (wait !== undefined) ctx.set('Retry-After', String(wait));
        if (error.cause !== undefined) log.warn({ err: error, requestId }, `${who} sign-in refused`);
        refuse(ctx, status, error, again);
      } else if (error instanceof RequestError) {
        refuse(ctx, error.status, error, again);
      } else {
        log.error({ err: error, requestId }, `${who} sign-in failed`);
        const { status, retryAfter } = serverError(error);
        if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
        const text = 'Something went wrong. Try again shortly.';
        showPage(ctx, status, signInPage('Sign-in is not available right now', text, again));
      }
    }
  };
}

/** Answers a script of ours in the shape of the GraphQL endpoint, and a person with a page. */
function refuse(ctx: RequestContext, status: number, error: DomainError | RequestError, again: string): void {
  if (!ctx.get('Accept').includes('application/json')) {
    showPage(ctx, status, signInPage('Sign-in did not work', error.message, again));
    return;
  }
  const code = error instanceof DomainError ? error.code : 'invalid_request';
  ctx.status = status;
  ctx.body = { errors: [{ message: error.message, extensions: { code } }] };
}

/** @param again where to try again */
function signInPage(title: string, text: string, again: string): PlainPage {
  return { title, paragraphs: [text], next: { label: 'Try again', href: again } };
}
