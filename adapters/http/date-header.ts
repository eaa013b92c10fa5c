import type { Middleware } from 'koa';
import type { WithClock } from '../../src/database/clock.ts';

/** The time of the service, by which the login pages count down. Node's own is that of the machine. @see RFC 9110 §6.6.1 */
export function dateHeader({ clock }: WithClock): Middleware {
  let second = 0;
  let text = '';
  return (ctx, next) => {
    const now = clock.now();
    const current = Math.floor(now.getTime() / 1_000);
    if (current !== second) {
      second = current;
      text = now.toUTCString();
    }
    ctx.set('Date', text);
    return next();
  };
}
