import type { Config } from '../../src/config/config.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { type Cookie, readCookie, writeCookie } from '../http/cookie.ts';
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
  // no other site has a reason to send the browser here signed in
  const cookie: Cookie = { name: 'fan_portal', url: runtime.config.loginUrl, sameSite: 'Strict' };
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
        secret: readCookie(ctx, cookie),
        address: ctx.ip,
        writeSecret: (secret) => writeCookie(ctx, cookie, secret ?? '', secret === undefined ? 0 : undefined),
        onFan(fan) {
          ctx.state.caller = { fan: uuidOf('usr', fan.id) };
        },
      }),
    }),
  ]);
}
