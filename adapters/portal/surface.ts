import type { Context } from 'koa';
import type { Config } from '../../src/config/config.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import type { Handler } from '../http/request-state.ts';
import { serveRoutes } from '../http/routes.ts';
import { basePath } from '../http/surface.ts';
import { trpcRoute } from '../http/trpc-calls.ts';
import { portalRouter } from './router.ts';

/** Address of the portal: below the login pages, whose host fans know. */
export function portalUrl({ loginUrl }: Pick<Config, 'loginUrl'>): string {
  return `${loginUrl}/apps`;
}

/** The fans' portal: the page, and the tRPC calls that it makes. */
export async function portalSurface(runtime: Runtime): Promise<Handler> {
  const url = portalUrl(runtime.config);
  const base = basePath(url);
  const cookie = portalCookie(runtime.config);
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), url);
  return serveRoutes([
    { path: [base, `${base}/`], methods: ['GET'], operation: 'portal.page', handle: (ctx) => page.index(ctx) },
    page.assets,
    trpcRoute(runtime, {
      router: portalRouter,
      url,
      name: 'portal',
      callOf: (ctx, context) => ({
        context,
        secret: cookie.read(ctx),
        address: ctx.ip,
        writeSecret: (secret) => cookie.write(ctx, secret),
        onFan(fan) {
          ctx.state.caller = { fan: uuidOf('usr', fan.id) };
        },
      }),
    }),
  ]);
}

/** The session cookie of the portal. `Strict`: no other site has a reason to send the browser here signed in. */
function portalCookie({ loginUrl }: Pick<Config, 'loginUrl'>) {
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
