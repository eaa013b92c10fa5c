import type { Context } from 'koa';

/** Sends the browser on. Koa's own redirect re-encodes the address; a redirect URI must stay as it was registered. */
export function redirectTo(ctx: Context, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.body = '';
}
