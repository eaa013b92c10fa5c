import type { Middleware } from 'koa';
import { unavailablePage } from '../fan-pages/plain-pages/fan-pages.ts';
import { isDependencyDown, serverError } from './dependency.ts';
import { type ErrorShapeOf, writeRequestError } from './error-shape.ts';
import { RequestError } from './request-error.ts';
import type { RequestContext, RequestState } from './request-state.ts';
import { showPage } from './show-page.ts';

/** Answers a `RequestError` or a dependency that is down in the error shape of the address, for surfaces without error answers. */
export function answerRequestErrors(shapeOf: ErrorShapeOf): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 405 && ctx.body == null && ctx.respond !== false) {
        answerRequestError(ctx, shapeOf, new RequestError(405, `${ctx.method} is not allowed here.`));
      }
    } catch (error) {
      if (error instanceof RequestError) answerRequestError(ctx, shapeOf, error);
      else if (isDependencyDown(error) && !ctx.headerSent) answerUnavailable(ctx, shapeOf, error);
      else throw error;
    }
  };
}

/** Answers one `RequestError`. */
export function answerRequestError(
  ctx: RequestContext,
  shapeOf: ErrorShapeOf,
  { status, message, allow }: RequestError,
): void {
  const { requestId, pages } = ctx.state;
  const wishes = { acceptLanguage: ctx.get('Accept-Language') };
  const fault = { status, message, requestId, wishes };
  const { headers, body } = writeRequestError(shapeOf(ctx.host, ctx.path), fault, pages);
  ctx.state.outcome = 'invalid_request';
  ctx.state.message = message;
  ctx.status = status;
  if (allow) ctx.set('Allow', allow.join(', '));
  ctx.set(headers);
  ctx.body = body;
}

function answerUnavailable(ctx: RequestContext, shapeOf: ErrorShapeOf, error: unknown): void {
  // logs it, as Koa does with uncaught errors
  ctx.app.emit('error', error, ctx);
  const { status, code, message, retryAfter } = serverError(error);
  ctx.state.outcome = code;
  ctx.set('Retry-After', String(retryAfter));
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  const shape = shapeOf(ctx.host, ctx.path);
  if (shape === 'graphql') ctx.body = { errors: [{ message, extensions: { code } }] };
  else if (shape === 'calls') ctx.body = { error: { message } };
  else showPage(ctx, status, unavailablePage);
}
