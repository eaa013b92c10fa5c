import Router from '@koa/router';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import type { Runtime } from '../../src/runtime.ts';
import { loadBuiltPage } from '../http/built-page.ts';
import type { RequestState } from '../http/request-id.ts';
import { basePath } from '../http/surface.ts';
import { authRoutes } from './auth-routes.ts';
import { auditExport } from './export-audit.ts';
import { graphqlEndpoint } from './graphql.ts';

/** The admin console: its page at every address below it, the GraphQL endpoint, and how staff sign in. */
export async function adminSurface(runtime: Runtime): Promise<Middleware<RequestState>> {
  const { adminUrl } = runtime.config;
  const base = basePath(adminUrl);
  const page = await loadBuiltPage(new URL('../../admin-ui/dist/', import.meta.url), adminUrl, {
    styleElements: true,
    forms: true,
  });
  const router = new Router<RequestState>();

  router.post(`${base}/graphql`, graphqlEndpoint(runtime));
  // else the page would answer it
  router.get(`${base}/graphql`, (ctx) => {
    ctx.set('Allow', 'POST');
    ctx.status = 405;
    ctx.body = { errors: [{ message: 'Queries are posted.', extensions: { code: 'invalid_request' } }] };
  });
  router.get(`${base}/audit.csv`, auditExport(runtime, 'csv'));
  router.get(`${base}/audit.json`, auditExport(runtime, 'json'));
  router.get(`${base}/assets/:file`, (ctx) => page.asset(ctx, String(ctx.params.file)));
  // the page reads its address itself, so that every view can be linked to
  router.get([base || '/', `${base}/*view`], (ctx) => page.index(ctx));

  return compose([
    authRoutes(runtime),
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
}
