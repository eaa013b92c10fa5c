import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';

/** The session cookie of the portal. `Strict`: no other site has a reason to send the browser here signed in. */
export function portalCookie({ loginUrl }: Pick<Config, 'loginUrl'>) {
  const isHttps = loginUrl.startsWith('https:');
  const name = isHttps ? '__Host-fan_portal' : 'fan_portal';
  return {
    /** Undefined where the browser sent none. */
    read: (ctx: Context): string | undefined => ctx.cookies.get(name) || undefined,
    /** Sets the cookie on the bare response, which tRPC answers to; undefined removes it. */
    write(ctx: Context, secret: string | undefined): void {
      const attributes = `Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
      const end = secret === undefined ? '; Max-Age=0' : '';
      ctx.res.appendHeader('Set-Cookie', `${name}=${secret ?? ''}; ${attributes}${end}`);
    },
  };
}
