import type { Middleware } from 'koa';
import { type ErrorShapeOf, writeRequestError } from './error-shape.ts';
import { RequestError } from './request-error.ts';
import type { RequestContext, RequestState } from './request-state.ts';

/** Answers each `RequestError` in the shape of its address, for surfaces without error answers of their own. */
export function answerRequestErrors(shapeOf: ErrorShapeOf): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 405 && ctx.body == null && ctx.respond !== false) {
        answerRequestError(ctx, shapeOf, new RequestError(405, `${ctx.method} is not allowed here.`));
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      answerRequestError(ctx, shapeOf, error);
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
