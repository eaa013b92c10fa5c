import type { Middleware } from 'koa';
import type { WithClock } from '../../src/platform/database/clock.ts';

/** The time of the service, by which the login pages count down. Node's own is that of the machine. @see RFC 9110 §6.6.1 */
export function dateHeader({ clock }: WithClock): Middleware {
  return (ctx, next) => {
    ctx.set('Date', clock.now().toUTCString());
    return next();
  };
}
