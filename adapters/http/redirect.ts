import type { Context } from 'koa';

/** Redirects the browser. Koa's own redirect re-encodes the address; a redirect URI must stay as registered. */
export function redirectTo(ctx: Context, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.body = '';
}
