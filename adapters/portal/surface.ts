import Router from '@koa/router';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { operationOf } from '../../src/activity/operations.ts';
import type { Config } from '../../src/config/config.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { learn } from '../http/record-requests.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { trpcCalls } from '../http/trpc-calls.ts';
import { readPortalCookie, writePortalCookie } from './cookie.ts';
import { portalRouter } from './router.ts';

/** Where the portal is: below the login pages, whose host the fan knows. */
export function portalUrl({ loginUrl }: Pick<Config, 'loginUrl'>): string {
  return `${loginUrl}/apps`;
}

/** The fans' portal: the page, and the tRPC calls that it makes. */
export async function portalSurface(runtime: Runtime): Promise<Middleware<RequestState>> {
  const url = portalUrl(runtime.config);
  const base = basePath(url);
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), url);
  const router = new Router<RequestState>();

  router.get([base, `${base}/`], (ctx) => {
    learn(ctx, { operation: operationOf('portal.page') });
    page.index(ctx);
  });
  router.get(`${base}/assets/:file`, (ctx) => page.asset(ctx, String(ctx.params.file)));
  const calls = trpcCalls(runtime, {
    router: portalRouter,
    url,
    name: 'portal',
    callOf: (ctx, context) => ({
      context,
      secret: readPortalCookie(ctx, runtime.config),
      address: ctx.ip,
      writeSecret: (secret) => writePortalCookie(ctx, runtime.config, secret),
      onFan: (fan) => learn(ctx, { fan: uuidOf('usr', fan.id) }),
    }),
  });
  router.register(`${base}/trpc/:procedure`, ['GET', 'POST'], calls);

  return compose([
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}
