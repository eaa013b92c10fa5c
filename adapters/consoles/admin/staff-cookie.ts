import type { Context } from 'koa';
import { SIGN_IN_LIFETIME } from '../../../src/people/staff/begin-sign-in.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { readCookie, writeCookie } from '../../http/cookie.ts';

/**
 * The console's cookies: the secret of a session, until the browser closes, and the secret that binds a sign-in to the
 * browser that began it. `Lax`, because the provider sends the browser back by a top-level navigation.
 */
const COOKIES = {
  session: { name: 'fan_staff', maxAge: undefined },
  signIn: { name: 'fan_staff_sign_in', maxAge: SIGN_IN_LIFETIME },
};

type CookieKind = keyof typeof COOKIES;
type CookieConfig = Pick<Config, 'adminUrl'>;

/** The value of the browser's cookie; undefined where it sent none. */
export function readStaffCookie(ctx: Context, { adminUrl }: CookieConfig, kind: CookieKind): string | undefined {
  return readCookie(ctx, { ...COOKIES[kind], url: adminUrl });
}

/** Sets a cookie. */
export function writeStaffCookie(ctx: Context, { adminUrl }: CookieConfig, kind: CookieKind, secret: string): void {
  writeCookie(ctx, { ...COOKIES[kind], url: adminUrl }, secret, COOKIES[kind].maxAge);
}

/** Deletes a cookie. */
export function clearStaffCookie(ctx: Context, { adminUrl }: CookieConfig, kind: CookieKind): void {
  writeCookie(ctx, { ...COOKIES[kind], url: adminUrl }, '', 0);
}
