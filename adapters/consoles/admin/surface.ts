import type { Runtime } from '../../../src/runtime.ts';
import type { Handler } from '../../http/request-state.ts';
import { basePath } from '../../http/surface.ts';
import { consoleSurface } from '../console-surface.ts';
import { authRoutes } from './auth-routes.ts';
import { auditExport } from './export-audit.ts';
import { importEndpoint } from './import-endpoint.ts';
import { importFailuresEndpoint, importStateEndpoint } from './import-run-endpoints.ts';
import { serviceLimits } from './service-limits.ts';

/** The admin console, with the downloads and uploads of staff. */
export async function adminSurface(runtime: Runtime): Promise<Handler> {
  const { adminUrl: url } = runtime.config;
  const base = basePath(url);
  const countCall = serviceLimits();
  return consoleSurface(runtime, {
    url,
    dist: new URL('../../../admin-ui/staff/dist/', import.meta.url),
    graphql: async () => (await import('./graphql.ts')).graphqlEndpoint(runtime, countCall),
    operations: { query: 'graphql.query', page: 'page.file' },
    signIn: authRoutes(runtime),
    routes: [
      {
        path: `${base}/audit.csv`,
        methods: ['GET'],
        cache: 'no-store',
        handle: auditExport(runtime, 'csv', countCall),
      },
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
    ],
  });
}
