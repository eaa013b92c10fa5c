import type { Context } from 'koa';

/** A cookie of ours. On https its `__Host-` prefix keeps sibling hosts from setting it. @see RFC 6265bis §4.1.3.2 */
export interface Cookie {
  /** Without the prefix. */
  name: string;
  /** Address of the surface that sets it. */
  url: string;
  /** `Lax` by default: the browser also sends the cookie when another site sends it here. */
  sameSite?: 'Lax' | 'Strict';
}

/** The value of the browser's cookie; undefined where it sent none. */
export function readCookie(ctx: Context, cookie: Cookie): string | undefined {
  return ctx.cookies.get(nameOf(cookie)) || undefined;
}

/** Sets the cookie. @param maxAge in seconds; undefined: until the browser closes */
export function writeCookie(ctx: Context, cookie: Cookie, value: string, maxAge?: number): void {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  const secure = isHttps(cookie) ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${nameOf(cookie)}=${value}; Path=/; HttpOnly; SameSite=${cookie.sameSite ?? 'Lax'}${age}${secure}`,
  );
}

function nameOf(cookie: Cookie): string {
  return isHttps(cookie) ? `__Host-${cookie.name}` : cookie.name;
}

function isHttps({ url }: Cookie): boolean {
  return url.startsWith('https:');
}
