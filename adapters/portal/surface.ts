import Router from '@koa/router';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Context as Koa, Middleware } from 'koa';
import compose from 'koa-compose';
import { operationOf } from '../../src/activity/operations.ts';
import type { Config } from '../../src/config.ts';
import { createContext, type Runtime } from '../../src/context.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { BODY_LIMIT_BYTES } from '../http/read-body.ts';
import { learn } from '../http/record-requests.ts';
import type { RequestState } from '../http/request-id.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { basePath } from '../http/surface.ts';
import { describeFault } from '../http/trpc-faults.ts';
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
  router.register(`${base}/trpc/:procedure`, ['GET', 'POST'], async (ctx) => {
    const procedure = String(ctx.params.procedure);
    learn(ctx, { operation: operationOf(`portal.${procedure}`) });
    if (isCrossOrigin(ctx, url)) {
      learn(ctx, { outcome: 'forbidden' });
      ctx.status = 403;
      ctx.body = { error: { message: 'These calls are for the portal only.' } };
      return;
    }
    await answerTrpc(runtime, ctx, procedure);
  });

  return compose([
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}

/** tRPC writes to the bare response itself. */
async function answerTrpc(runtime: Runtime, ctx: Koa, path: string): Promise<void> {
  const { config, log } = runtime;
  const { requestId } = ctx.state as RequestState;
  ctx.respond = false;
  ctx.res.statusCode = 200;
  ctx.res.setHeader('Cache-Control', 'no-store');
  await nodeHTTPRequestHandler({
    router: portalRouter,
    path,
    req: ctx.req,
    res: ctx.res,
    maxBodySize: BODY_LIMIT_BYTES,
    allowBatching: false,
    createContext: async () => ({
      context: createContext(runtime, requestId),
      secret: readPortalCookie(ctx, config),
      address: ctx.ip,
      writeSecret: (secret) => writePortalCookie(ctx, config, secret),
      onFan: (fan) => learn(ctx, { fan: uuidOf('usr', fan.id) }),
    }),
    onError({ error }) {
      const { reason } = describeFault(error);
      learn(ctx, { outcome: reason });
      // the sending of codes tells its troubles itself, once and not per fan
      if (reason === 'verification_unavailable') return;
      if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        log.error({ err: error.cause ?? error, requestId, path }, 'portal call failed');
      }
    },
  });
}
