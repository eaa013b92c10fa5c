import type { Context } from 'koa';

/**
 * Whether another site's page caused a call: browsers say so.
 * @param url the address of the page that alone may make it
 */
export function isCrossOrigin(ctx: Context, url: string): boolean {
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  return (origin !== '' && origin !== new URL(url).origin) || site === 'cross-site';
}
