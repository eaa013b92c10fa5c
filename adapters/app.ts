import Koa, { type Middleware } from 'koa';
import compose from 'koa-compose';
import type { Surface as SurfaceName } from '../src/config/values.ts';
import type { Runtime } from '../src/runtime.ts';
import type { StarterKit } from '../src/sandbox/starter-kit.ts';
import { publicDocuments } from './fan/public-documents.ts';
import { fanSurface } from './fan/router.ts';
import { knowClientAddress } from './http/client-address.ts';
import { healthRoutes } from './http/health.ts';
import { countRequests } from './http/metrics.ts';
import { recordRequests } from './http/record-requests.ts';
import { type RequestState, requestId } from './http/request-id.ts';
import { routeSurfaces, type Surface } from './http/surface.ts';
import { inboxSurface, inboxUrl } from './login/inbox.ts';
import { loginSurface } from './login/surface.ts';
import { oauthSurface } from './oauth/router.ts';
import { playgroundSurface, playgroundUrl } from './playground/surface.ts';
import { portalSurface, portalUrl } from './portal/surface.ts';

/**
 * The only place where routes are mounted. Each surface is a thin face of the same functions in `src/`.
 * @param kit the starter kit, where this database has one
 */
export async function createApp(runtime: Runtime, kit: StarterKit | undefined): Promise<Koa<RequestState>> {
  const { config } = runtime;
  const app = new Koa<RequestState>();
  app.proxy = config.trustedProxies > 0;
  app.silent = true;
  app.on('error', (err: unknown) => runtime.log.error({ err }, 'request failed'));
  app.use(countRequests());
  app.use(knowClientAddress(config.trustedProxies));
  app.use(requestId() as Middleware);
  app.use(healthRoutes(runtime));
  if (config.surfaces.has('fan')) app.use(publicDocuments(config));
  app.use(routeSurfaces(await surfacesOf(runtime, kit)) as Middleware);
  return app;
}

async function surfacesOf(runtime: Runtime, kit: StarterKit | undefined): Promise<Surface[]> {
  const { config } = runtime;
  const on = (name: SurfaceName) => config.surfaces.has(name);
  const surfaces: Surface[] = [];
  const recorded = (handle: Middleware<RequestState>) => compose([recordRequests(runtime), handle]);
  if (on('fan')) surfaces.push({ url: config.apiUrl, handle: recorded(fanSurface(runtime)) });
  if (on('auth')) surfaces.push({ url: config.authUrl, handle: recorded(oauthSurface(runtime)) });
  if (on('login')) {
    surfaces.push({ url: config.loginUrl, handle: recorded(await loginSurface(runtime)) });
    surfaces.push({ url: portalUrl(config), handle: recorded(await portalSurface(runtime)) });
  }
  const inbox = inboxUrl(config);
  if (inbox) surfaces.push({ url: inbox, handle: inboxSurface(runtime) });
  if (on('admin')) {
    // GraphQL takes a quarter of a second and 60 MB, which a process without the console does not need
    const { adminSurface } = await import('./admin/surface.ts');
    surfaces.push({ url: config.adminUrl, handle: recorded(await adminSurface(runtime)) });
  }
  if (on('playground') && kit && !config.production) {
    surfaces.push({ url: playgroundUrl(runtime), handle: await playgroundSurface(runtime, kit) });
  }
  return surfaces;
}
