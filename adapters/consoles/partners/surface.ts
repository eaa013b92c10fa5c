import type { Runtime } from '../../../src/runtime.ts';
import type { Handler } from '../../http/request-state.ts';
import { consoleSurface } from '../console-surface.ts';
import { memberAuthRoutes } from './auth-routes.ts';

/** The partner workspace. */
export async function partnersSurface(runtime: Runtime): Promise<Handler> {
  return consoleSurface(runtime, {
    url: runtime.config.partnersUrl,
    dist: new URL('../../../admin-ui/partner/dist/', import.meta.url),
    graphql: async () => (await import('./graphql.ts')).partnerGraphqlEndpoint(runtime),
    operations: { query: 'workspace.query' },
    signIn: memberAuthRoutes(runtime),
    routes: [],
  });
}
