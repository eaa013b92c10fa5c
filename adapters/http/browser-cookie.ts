import type { Context } from 'koa';
import type { Config } from '../../src/platform/config/config.ts';
import { readCookie, writeCookie } from './cookie.ts';

/** Whether the login pages have a cookie of their own, because the issuer's does not reach their host. */
export function hasSeparateLoginHost({ authUrl, loginUrl }: Pick<Config, 'authUrl' | 'loginUrl'>): boolean {
  return new URL(authUrl).hostname !== new URL(loginUrl).hostname;
}

/** Reads the cookie that binds authorization sessions to the browser that started them. */
export function readBrowserCookie(ctx: Context, { authUrl }: Pick<Config, 'authUrl'>): string | undefined {
  return readCookie(ctx, { name: 'fan_browser', url: authUrl });
}

/** Sets the cookie. It is `Lax`, because the partner's site sends the browser here by a top-level navigation. */
export function writeBrowserCookie(ctx: Context, { authUrl }: Pick<Config, 'authUrl'>, secret: string): void {
  writeCookie(ctx, { name: 'fan_browser', url: authUrl }, secret);
}
