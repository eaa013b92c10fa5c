import Router from '@koa/router';
import type { Context as Koa, Middleware } from 'koa';
import compose from 'koa-compose';
import type { OpenSession } from '../../src/authorization/find-session.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import type { Runtime } from '../../src/runtime.ts';
import { readBrowserCookie } from '../http/browser-cookie.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import { learn } from '../http/record-requests.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { trpcCalls } from '../http/trpc-calls.ts';
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
  const calls = trpcCalls(runtime, {
    router: loginRouter,
    url: loginUrl,
    name: 'login',
    callOf: (ctx, context) => ({
      context,
      browserSecret: readBrowserCookie(ctx, runtime.config),
      address: ctx.ip,
      sessionId: ctx.get('x-session-id') || undefined,
      onSession: (session) => learnSession(ctx, session),
    }),
  });
  router.register(`${base}/trpc/:procedure`, ['GET', 'POST'], calls);

  return compose([
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}

function learnSession(ctx: Koa, { id, client, fan }: OpenSession): void {
  learn(ctx, {
    session: uuidOf('sess', id),
    client: uuidOf('client', client.id),
    fan: fan ? uuidOf('usr', fan.id) : null,
  });
}
