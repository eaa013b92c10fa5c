import Router from '@koa/router';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Context as Koa, Middleware } from 'koa';
import compose from 'koa-compose';
import { operationOf } from '../../src/activity/operations.ts';
import type { OpenSession } from '../../src/authorization/find-session.ts';
import { createContext, type Runtime } from '../../src/context.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import { readBrowserCookie } from '../http/browser-cookie.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { BODY_LIMIT_BYTES } from '../http/read-body.ts';
import { learn } from '../http/record-requests.ts';
import type { RequestState } from '../http/request-id.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { basePath } from '../http/surface.ts';
import { describeFault } from '../http/trpc-faults.ts';
import { askForHandOver, needsHandOver } from './hand-over.ts';
import { serveLogo } from './logo.ts';
import { loginRouter } from './router.ts';

/** The hosted login: the page, and the tRPC calls that it makes. */
export async function loginSurface(runtime: Runtime): Promise<Middleware<RequestState>> {
  const { loginUrl } = runtime.config;
  const base = basePath(loginUrl);
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), loginUrl);
  const router = new Router<RequestState>();

  router.get([base || '/', `${base}/`], async (ctx) => {
    learn(ctx, { operation: 'login.page' });
    if (await needsHandOver(runtime, ctx)) askForHandOver(runtime.config, ctx);
    else page.index(ctx);
  });
  router.get(`${base}/assets/:file`, (ctx) => page.asset(ctx, String(ctx.params.file)));
  router.get(`${base}/logos/:clientId/:hash`, serveLogo(runtime));
  router.register(`${base}/trpc/:procedure`, ['GET', 'POST'], async (ctx) => {
    const procedure = String(ctx.params.procedure);
    learn(ctx, { operation: operationOf(`login.${procedure}`) });
    if (isCrossOrigin(ctx, loginUrl)) {
      learn(ctx, { outcome: 'forbidden' });
      ctx.status = 403;
      ctx.body = { error: { message: 'These calls are for the login pages only.' } };
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
  const { requestId } = ctx.state as RequestState;
  ctx.respond = false;
  ctx.res.statusCode = 200;
  ctx.res.setHeader('Cache-Control', 'no-store');
  await nodeHTTPRequestHandler({
    router: loginRouter,
    path,
    req: ctx.req,
    res: ctx.res,
    maxBodySize: BODY_LIMIT_BYTES,
    // one request, one call: that is what limits and the request log count
    allowBatching: false,
    createContext: async () => ({
      context: createContext(runtime, requestId),
      browserSecret: readBrowserCookie(ctx, runtime.config),
      address: ctx.ip,
      sessionId: ctx.get('x-session-id') || undefined,
      onSession: (session) => learnSession(ctx, session),
    }),
    onError({ error }) {
      const { reason } = describeFault(error);
      learn(ctx, { outcome: reason });
      // the sending of codes tells its troubles itself, once and not per fan
      if (reason === 'verification_unavailable') return;
      if (error.code === 'INTERNAL_SERVER_ERROR' || error.code === 'SERVICE_UNAVAILABLE') {
        runtime.log.error({ err: error.cause ?? error, requestId, path }, 'login call failed');
      }
    },
  });
}

function learnSession(ctx: Koa, { id, client, fan }: OpenSession): void {
  learn(ctx, {
    session: uuidOf('sess', id),
    client: uuidOf('client', client.id),
    fan: fan ? uuidOf('usr', fan.id) : null,
  });
}
