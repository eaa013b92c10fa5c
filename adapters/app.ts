import Koa, { type Context, type Middleware } from 'koa';
import compose from 'koa-compose';
import type { Surface as SurfaceName } from '../src/config/values.ts';
import { authServerMetadataUrl } from '../src/oauth/metadata.ts';
import type { Runtime } from '../src/runtime.ts';
import type { StarterKit } from '../src/sandbox/starter-kit.ts';
import { publicDocuments } from './fan/public-documents.ts';
import { fanSurface } from './fan/router.ts';
import { answerRefusals } from './http/answer-refusals.ts';
import { checkRequest } from './http/check-request.ts';
import { knowClientAddress } from './http/client-address.ts';
import { isClientFault } from './http/client-faults.ts';
import { shapeFinder } from './http/error-shape.ts';
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
  app.on('error', (err: unknown, ctx?: Context) => {
    if (isClientFault(err, ctx)) runtime.log.debug({ err }, 'a client broke off, or asked for what can not be');
    else runtime.log.error({ err }, 'request failed');
  });
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
  const refusals = answerRefusals(shapeFinder(config));
  const pages = (handle: Middleware<RequestState>) => compose([refusals, checkRequest(), handle]);
  if (on('fan')) surfaces.push({ url: config.apiUrl, handle: recorded(fanSurface(runtime)) });
  if (on('auth')) {
    const handle = recorded(oauthSurface(runtime));
    surfaces.push({ url: config.authUrl, handle }, { url: authServerMetadataUrl(config.authUrl), handle });
  }
  if (on('login')) {
    surfaces.push({ url: config.loginUrl, handle: recorded(pages(await loginSurface(runtime))) });
    surfaces.push({ url: portalUrl(config), handle: recorded(pages(await portalSurface(runtime))) });
  }
  const inbox = inboxUrl(config);
  if (inbox) surfaces.push({ url: inbox, handle: pages(inboxSurface(runtime)) });
  if (on('admin')) {
    // GraphQL takes a quarter of a second and 60 MB, which a process without the console does not need
    const { adminSurface } = await import('./admin/surface.ts');
    surfaces.push({ url: config.adminUrl, handle: recorded(pages(await adminSurface(runtime))) });
  }
  if (on('playground') && kit && !config.production) {
    surfaces.push({ url: playgroundUrl(runtime), handle: pages(await playgroundSurface(runtime, kit)) });
  }
  return surfaces;
}
