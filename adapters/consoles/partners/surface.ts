import compose from 'koa-compose';
import type { Runtime } from '../../../src/runtime.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import { lateEndpoint } from '../../http/late-endpoint.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { servedDocsUrl } from '../../http/served-docs-url.ts';
import { basePath } from '../../http/surface.ts';
import { memberAuthRoutes } from './auth-routes.ts';

/** The partner workspace: its page at every address below it, the GraphQL endpoint, and the sign-in of partners' people. */
export async function partnersSurface(runtime: Runtime): Promise<Handler> {
  const { partnersUrl } = runtime.config;
  const base = basePath(partnersUrl);
  const page = await loadBuiltPage(new URL('../../../admin-ui/partner/dist/', import.meta.url), partnersUrl, {
    styleElements: true,
    forms: true,
    docsUrl: servedDocsUrl(runtime.config),
  });
  const graphql = lateEndpoint(async () => (await import('./graphql.ts')).partnerGraphqlEndpoint(runtime));
  const showPage = (ctx: RequestContext) => {
    page.index(ctx);
    // the page's first calls come in a moment
    graphql.prepare();
  };
  const routes = serveRoutes([
    {
      path: `${base}/graphql`,
      methods: ['POST'],
      operation: 'workspace.query',
      cache: 'no-store',
      handle: graphql.answer,
    },
    // else the page would answer it
    { path: `${base}/graphql`, methods: ['GET'], handle: graphql.refuseGet },
    page.assets,
    // the page reads its address itself, so that every view can be linked to
    { path: [base || '/', `${base}/*view`], methods: ['GET'], handle: showPage },
  ]);
  return compose([memberAuthRoutes(runtime), routes]);
}
