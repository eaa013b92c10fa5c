import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';
import { SIGN_IN_LIFETIME } from '../../src/staff/begin-sign-in.ts';

/**
 * The console's two cookies: the secret of a session, and the secret that binds a sign-in to the browser that began it. On
 * https their `__Host-` prefix keeps sibling hosts from setting them. `Lax`, because the provider sends the browser back by
 * a top-level navigation.
 * @see RFC 6265bis §4.1.3.2
 */
const NAMES = { session: 'fan_staff', signIn: 'fan_staff_sign_in' };

type CookieKind = keyof typeof NAMES;
type CookieConfig = Pick<Config, 'adminUrl'>;

/** The value of the browser's cookie; undefined where it sent none. */
export function readStaffCookie(ctx: Context, config: CookieConfig, kind: CookieKind): string | undefined {
  return ctx.cookies.get(nameOf(config, kind)) || undefined;
}

/** Sets a cookie: the session's until the browser closes, the sign-in's as long as a sign-in may take. */
export function writeStaffCookie(ctx: Context, config: CookieConfig, kind: CookieKind, secret: string): void {
  append(ctx, config, kind, secret, kind === 'signIn' ? SIGN_IN_LIFETIME : undefined);
}

/** Deletes a cookie. */
export function clearStaffCookie(ctx: Context, config: CookieConfig, kind: CookieKind): void {
  append(ctx, config, kind, '', 0);
}

function append(ctx: Context, config: CookieConfig, kind: CookieKind, value: string, maxAge: number | undefined): void {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  const secure = isHttps(config) ? '; Secure' : '';
  ctx.append('Set-Cookie', `${nameOf(config, kind)}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure}`);
}

function nameOf(config: CookieConfig, kind: CookieKind): string {
  return isHttps(config) ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

function isHttps({ adminUrl }: CookieConfig): boolean {
  return adminUrl.startsWith('https:');
}
