import type { Context } from 'koa';

/** Whether a page of another origin than `url` made the call, according to the browser. */
export function isCrossOrigin(ctx: Context, url: string): boolean {
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  return (origin !== '' && origin !== new URL(url).origin) || site === 'cross-site';
}
