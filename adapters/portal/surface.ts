import type { Config } from '../../src/config/config.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import type { Handler } from '../http/request-state.ts';
import { serveRoutes } from '../http/routes.ts';
import { basePath } from '../http/surface.ts';
import { trpcRoute } from '../http/trpc-calls.ts';
import { portalCookie } from './cookie.ts';
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
