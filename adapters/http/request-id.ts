import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { WithClock } from '../../src/platform/database/clock.ts';
import type { RequestState } from './request-state.ts';

/** Gives each request an id, which its answer, its log lines and its audit entries carry. */
export function requestId(): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.state.requestId = newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
}

/** A UUIDv7: in the index of the request log new ones are adjacent. @see RFC 9562 §5.7 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Sets `Date` to the time of the service, by which the login pages count down; Node would use the machine's. @see RFC 9110 §6.6.1 */
export function dateHeader({ clock }: WithClock): Middleware {
  return (ctx, next) => {
    ctx.set('Date', clock.now().toUTCString());
    return next();
  };
}
