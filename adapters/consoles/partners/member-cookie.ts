import type { Context } from 'koa';
import { MEMBER_SIGN_IN_LIFETIME } from '../../../src/people/workspace/begin-provider-sign-in.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import {
  type BrowserSecret,
  isBrowserSecret,
  newBrowserSecret,
} from '../../../src/platform/identifier/secret-value.ts';
import { type Cookie, readCookie, writeCookie } from '../../http/cookie.ts';

type CookieConfig = Pick<Config, 'partnersUrl'>;

/** `Lax`, because e-mails and the provider send the browser here by a top-level navigation. */
const session = ({ partnersUrl }: CookieConfig): Cookie => ({ name: 'fan_member', url: partnersUrl });
const signIn = ({ partnersUrl }: CookieConfig): Cookie => ({ name: 'fan_member_sign_in', url: partnersUrl });

/** The secret of the browser's session; undefined where it sent none. */
export function readMemberSession(ctx: Context, config: CookieConfig): string | undefined {
  return readCookie(ctx, session(config));
}

/** Keeps the secret until the browser closes. @param secret undefined deletes the cookie */
export function writeMemberSession(ctx: Context, config: CookieConfig, secret: string | undefined): void {
  writeCookie(ctx, session(config), secret ?? '', secret === undefined ? 0 : undefined);
}

/** The secret that binds a sign-in to the browser that began it. */
export function readSignInSecret(ctx: Context, config: CookieConfig): string | undefined {
  return readCookie(ctx, signIn(config));
}

/** The same, made where there is none; several tabs share it. Kept for as long as a link works. */
export function keepSignInSecret(ctx: Context, config: CookieConfig): BrowserSecret {
  const given = readSignInSecret(ctx, config);
  const secret = isBrowserSecret(given) ? given : newBrowserSecret();
  writeCookie(ctx, signIn(config), secret, MEMBER_SIGN_IN_LIFETIME);
  return secret;
}

/** Forgets it. */
export function clearSignInSecret(ctx: Context, config: CookieConfig): void {
  writeCookie(ctx, signIn(config), '', 0);
}
