import type { Context } from 'koa';
import { DomainError } from '../../src/platform/errors.ts';
import type { Handler } from './request-state.ts';

/** Whether a page of another origin than `url` made the call, according to the browser. */
export function isCrossOrigin(ctx: Context, url: string): boolean {
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  return (origin !== '' && origin !== new URL(url).origin) || site === 'cross-site';
}

/** Requests that change anything must come from a page of the same origin as `url`. @throws DomainError `forbidden` */
export function refuseOtherSites(url: string): Handler {
  return (ctx, next) => {
    if (ctx.method === 'POST' && isCrossOrigin(ctx, url)) {
      throw new DomainError('forbidden', 'This request came from another site.');
    }
    return next();
  };
}
