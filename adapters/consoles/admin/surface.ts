import type { Runtime } from '../../../src/runtime.ts';
import type { Handler } from '../../http/request-state.ts';
import type { Route } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { consoleSurface } from '../console-surface.ts';
import { authRoutes } from './auth-routes.ts';
import { fanCopyEndpoint } from './copy-fan.ts';
import { auditExport } from './export-audit.ts';
import { changesEndpoint, snapshotEndpoint } from './feed-endpoints.ts';
import { importEndpoint } from './import-endpoint.ts';
import { importFailuresEndpoint, importStateEndpoint } from './import-run-endpoints.ts';
import { serviceLimits } from './service-limits.ts';

/** The admin console, with the downloads and uploads of staff. */
export async function adminSurface(runtime: Runtime): Promise<Handler> {
  const { adminUrl: url } = runtime.config;
  const base = basePath(url);
  const countCall = serviceLimits();
  /** @param operation how the request log names it */
  const own = (
    method: 'GET' | 'POST',
    path: string,
    handle: Route['handle'],
    operation?: Route['operation'],
  ): Route => ({
    path: `${base}/${path}`,
    methods: [method],
    cache: 'no-store',
    handle,
    ...(operation && { operation }),
  });
  return consoleSurface(runtime, {
    url,
    dist: new URL('../../../admin-ui/staff/dist/', import.meta.url),
    graphql: async () => (await import('./graphql.ts')).graphqlEndpoint(runtime, countCall),
    operations: { query: 'graphql.query', page: 'page.file' },
    signIn: authRoutes(runtime),
    routes: [
      own('GET', 'audit.csv', auditExport(runtime, 'csv', countCall)),
      own('GET', 'audit.json', auditExport(runtime, 'json', countCall)),
      own('GET', 'fan-copy/:file', fanCopyEndpoint(runtime), 'console.fan_copy'),
      own('POST', 'import', importEndpoint(runtime, countCall), 'inventory.import'),
      own('GET', 'import/:run', importStateEndpoint(runtime, countCall), 'inventory.import_run'),
      own('GET', 'import/:run/failures', importFailuresEndpoint(runtime, countCall), 'inventory.failures'),
      own('GET', 'feed', snapshotEndpoint(runtime, countCall), 'inventory.feed'),
      own('GET', 'feed/changes', changesEndpoint(runtime, countCall), 'inventory.feed_changes'),
    ],
  });
}
