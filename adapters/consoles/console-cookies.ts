import type { Context } from 'koa';
import type { Audience } from '../../src/entities/account.ts';
import { SIGN_IN_LIFETIME } from '../../src/people/account/provider-sign-in.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { type BrowserSecret, isBrowserSecret, newBrowserSecret } from '../../src/platform/identifier/secret-value.ts';
import { type Cookie, readCookie, writeCookie } from '../http/cookie.ts';

const NAMES: Record<Audience, string> = { staff: 'fan_staff', member: 'fan_member' };

/**
 * A console's cookies: the secret of a session, until the browser closes, and the secret that binds a sign-in to the
 * browser that began it. `Lax`, because e-mails and the provider send the browser here by a top-level navigation.
 */
export function consoleCookies(
  { adminUrl, partnersUrl }: Pick<Config, 'adminUrl' | 'partnersUrl'>,
  audience: Audience,
) {
  const url = audience === 'staff' ? adminUrl : partnersUrl;
  const session: Cookie = { name: NAMES[audience], url };
  const signIn: Cookie = { name: `${NAMES[audience]}_sign_in`, url };
  return {
    readSession: (ctx: Context) => readCookie(ctx, session),
    writeSession: (ctx: Context, secret: string) => writeCookie(ctx, session, secret),
    clearSession: (ctx: Context) => writeCookie(ctx, session, '', 0),
    readSignIn: (ctx: Context) => readCookie(ctx, signIn),
    /** Makes the secret where there is none; several tabs share it. Kept for as long as a sign-in may take. */
    keepSignIn(ctx: Context): BrowserSecret {
      const given = readCookie(ctx, signIn);
      const secret = isBrowserSecret(given) ? given : newBrowserSecret();
      writeCookie(ctx, signIn, secret, SIGN_IN_LIFETIME[audience]);
      return secret;
    },
    clearSignIn: (ctx: Context) => writeCookie(ctx, signIn, '', 0),
  };
}
