import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

/** State that every request carries. */
export interface RequestState {
  requestId: string;
}

/** Gives each request an id, which its answer, its log lines and its audit entries carry. */
export function requestId(): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.state.requestId = randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
}
