import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';

/**
 * The cookie that binds authorization sessions to the browser that started them. On https its `__Host-` prefix keeps
 * sibling hosts from setting it; it lasts until the browser closes.
 * @see RFC 6265bis §4.1.3.2
 */
function cookieName(config: Pick<Config, 'authUrl'>): string {
  return isHttps(config) ? '__Host-fan_browser' : 'fan_browser';
}

/** Whether the login pages have a cookie of their own, because the issuer's does not reach their host. */
export function hasSeparateLoginHost({ authUrl, loginUrl }: Pick<Config, 'authUrl' | 'loginUrl'>): boolean {
  return new URL(authUrl).hostname !== new URL(loginUrl).hostname;
}

/** What the browser's cookie holds; undefined where it sent none. */
export function readBrowserCookie(ctx: Context, config: Pick<Config, 'authUrl'>): string | undefined {
  return ctx.cookies.get(cookieName(config)) || undefined;
}

/** Sets the cookie on the answer. `Lax`, because the partner's site sends the browser here by a top-level navigation. */
export function writeBrowserCookie(ctx: Context, config: Pick<Config, 'authUrl'>, secret: string): void {
  const secure = isHttps(config) ? '; Secure' : '';
  ctx.append('Set-Cookie', `${cookieName(config)}=${secret}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

function isHttps(config: Pick<Config, 'authUrl'>): boolean {
  return config.authUrl.startsWith('https:');
}
