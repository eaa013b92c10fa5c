import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';

/** The session cookie of the portal. `Strict`: no other site has a reason to send the browser here signed in. */
function cookieName({ loginUrl }: Pick<Config, 'loginUrl'>): string {
  return isHttps(loginUrl) ? '__Host-fan_portal' : 'fan_portal';
}

/** What the browser's cookie holds; undefined where it sent none. */
export function readPortalCookie(ctx: Context, config: Pick<Config, 'loginUrl'>): string | undefined {
  return ctx.cookies.get(cookieName(config)) || undefined;
}

/**
 * Sets the cookie on the bare response, which tRPC answers to.
 * @param secret undefined removes it
 */
export function writePortalCookie(ctx: Context, config: Pick<Config, 'loginUrl'>, secret: string | undefined): void {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isHttps(config.loginUrl)) attributes.push('Secure');
  if (secret === undefined) attributes.push('Max-Age=0');
  ctx.res.appendHeader('Set-Cookie', [`${cookieName(config)}=${secret ?? ''}`, ...attributes].join('; '));
}

function isHttps(url: string): boolean {
  return url.startsWith('https:');
}
