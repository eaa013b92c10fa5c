import type { Config } from '../../src/config/config.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import type { Handler } from '../http/request-state.ts';
import { serveRoutes } from '../http/routes.ts';
import { basePath } from '../http/surface.ts';
import { trpcRoute } from '../http/trpc-calls.ts';
import { readPortalCookie, writePortalCookie } from './cookie.ts';
import { portalRouter } from './router.ts';

/** Where the portal is: below the login pages, whose host the fan knows. */
export function portalUrl({ loginUrl }: Pick<Config, 'loginUrl'>): string {
  return `${loginUrl}/apps`;
}

/** The fans' portal: the page, and the tRPC calls that it makes. */
export async function portalSurface(runtime: Runtime): Promise<Handler> {
  const url = portalUrl(runtime.config);
  const base = basePath(url);
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
        secret: readPortalCookie(ctx, runtime.config),
        address: ctx.ip,
        writeSecret: (secret) => writePortalCookie(ctx, runtime.config, secret),
        onFan(fan) {
          ctx.state.caller = { fan: uuidOf('usr', fan.id) };
        },
      }),
    }),
  ]);
}
