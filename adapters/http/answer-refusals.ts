import type { Context, Middleware } from 'koa';
import { type ShapeFinder, writeRefusal } from './error-shape.ts';
import { learn } from './record-requests.ts';
import { RequestError } from './request-error.ts';
import type { RequestState } from './request-id.ts';

/** Answers requests that are refused for their form, in the shape of the address. For surfaces without errors of their own. */
export function answerRefusals(shapeOf: ShapeFinder): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 405 && ctx.body == null && ctx.respond !== false) {
        answerRefusal(ctx, shapeOf, new RequestError(405, `${ctx.method} is not allowed here.`));
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      answerRefusal(ctx, shapeOf, error);
    }
  };
}

/** Answers one such request. */
export function answerRefusal(ctx: Context, shapeOf: ShapeFinder, { status, message, allow }: RequestError): void {
  const { requestId } = ctx.state as RequestState;
  const { headers, body } = writeRefusal(shapeOf(ctx.host, ctx.path), { status, message, requestId });
  learn(ctx, { outcome: 'invalid_request' });
  ctx.status = status;
  if (allow) ctx.set('Allow', allow.join(', '));
  ctx.set(headers);
  ctx.body = body;
}
