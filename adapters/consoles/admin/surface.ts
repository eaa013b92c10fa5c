import compose from 'koa-compose';
import type { Runtime } from '../../../src/runtime.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import { lateEndpoint } from '../../http/late-endpoint.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { servedDocsUrl } from '../../http/served-docs-url.ts';
import { basePath } from '../../http/surface.ts';
import { authRoutes } from './auth-routes.ts';
import { auditExport } from './export-audit.ts';
import { importEndpoint } from './import-endpoint.ts';
import { importFailuresEndpoint, importStateEndpoint } from './import-run-endpoints.ts';
import { serviceLimits } from './service-limits.ts';

/** The admin console: its page at every address below it, the GraphQL endpoint, and the sign-in of staff. */
export async function adminSurface(runtime: Runtime): Promise<Handler> {
  const { adminUrl } = runtime.config;
  const base = basePath(adminUrl);
  const page = await loadBuiltPage(new URL('../../../admin-ui/staff/dist/', import.meta.url), adminUrl, {
    styleElements: true,
    forms: true,
    docsUrl: servedDocsUrl(runtime.config),
  });
  const countCall = serviceLimits();
  const graphql = lateEndpoint(async () => (await import('./graphql.ts')).graphqlEndpoint(runtime, countCall));
  const showPage = (ctx: RequestContext) => {
    page.index(ctx);
    // the page's first calls come in a moment
    graphql.prepare();
  };
  const routes = serveRoutes([
    {
      path: `${base}/graphql`,
      methods: ['POST'],
      operation: 'graphql.query',
      cache: 'no-store',
      handle: graphql.answer,
    },
    // else the page would answer it
    { path: `${base}/graphql`, methods: ['GET'], handle: graphql.refuseGet },
    { path: `${base}/audit.csv`, methods: ['GET'], cache: 'no-store', handle: auditExport(runtime, 'csv', countCall) },
    {
      path: `${base}/audit.json`,
      methods: ['GET'],
      cache: 'no-store',
      handle: auditExport(runtime, 'json', countCall),
    },
    {
      path: `${base}/import`,
      methods: ['POST'],
      operation: 'inventory.import',
      cache: 'no-store',
      handle: importEndpoint(runtime, countCall),
    },
    {
      path: `${base}/import/:run`,
      methods: ['GET'],
      operation: 'inventory.import_run',
      cache: 'no-store',
      handle: importStateEndpoint(runtime, countCall),
    },
    {
      path: `${base}/import/:run/failures`,
      methods: ['GET'],
      operation: 'inventory.failures',
      cache: 'no-store',
      handle: importFailuresEndpoint(runtime, countCall),
    },
    page.assets,
    // the page reads its address itself, so that every view can be linked to
    { path: [base || '/', `${base}/*view`], methods: ['GET'], operation: 'page.file', handle: showPage },
  ]);
  return compose([authRoutes(runtime), routes]);
}
