import Koa, { type Context } from 'koa';
import compose from 'koa-compose';
import { authServerMetadataUrl } from '../src/oauth/metadata.ts';
import type { Surface as SurfaceName } from '../src/platform/config/values.ts';
import type { Runtime } from '../src/runtime.ts';
import { checksUrl } from '../src/sandbox/go-live-check/run-addresses.ts';
import type { StarterKit } from '../src/sandbox/starter-kit.ts';
import { inboxSurface, inboxUrl } from './fan-pages/login/inbox.ts';
import { loginSurface } from './fan-pages/login/surface.ts';
import { loadOperator } from './fan-pages/operator/load-operator.ts';
import { answerUnknown } from './fan-pages/plain-pages/answer-unknown.ts';
import { createPlainPages } from './fan-pages/plain-pages/plain-pages.ts';
import { portalSurface, portalUrl } from './fan-pages/portal/surface.ts';
import { answerRequestErrors } from './http/answer-request-errors.ts';
import { checkRequest } from './http/check-request.ts';
import { clientAddress } from './http/client-address.ts';
import { isClientError } from './http/client-errors.ts';
import { errorShapes } from './http/error-shape.ts';
import { healthRoutes } from './http/health.ts';
import { helpLinks, linkHelp } from './http/help-link.ts';
import type { PlainPages } from './http/plain-page.ts';
import { protectAnswers, protection } from './http/protect-answers.ts';
import { recordRequests } from './http/record-requests.ts';
import { dateHeader, requestId } from './http/request-id.ts';
import type { Handler, RequestState } from './http/request-state.ts';
import { limitRequestTime } from './http/request-time.ts';
import { siteFiles } from './http/site-files.ts';
import { routeSurfaces, type Surface } from './http/surface.ts';
import { publicDocuments } from './partner-api/fan/public-documents.ts';
import { fanSurface } from './partner-api/fan/router.ts';
import { goLiveCheckSurface } from './partner-api/go-live-check/surface.ts';
import { oauthSurface } from './partner-api/oauth/router.ts';
import { sandboxSurface, sandboxUrl } from './partner-api/sandbox/surface.ts';
import { countRequests } from './process/telemetry/count-requests.ts';
import { tracing } from './process/telemetry/tracing.ts';
import { playgroundSurface, playgroundUrl } from './public/playground/surface.ts';

/** The Koa application: the only place where routes are mounted. @param kit the starter kit, if this database has one */
export async function createApp(runtime: Runtime, kit: StarterKit | undefined): Promise<Koa<RequestState>> {
  const { config } = runtime;
  const app = new Koa<RequestState>();
  app.proxy = config.trustedProxies > 0;
  app.silent = true;
  app.on('error', (err: unknown, ctx?: Context) => {
    const requestId: string | undefined = ctx?.state.requestId;
    if (isClientError(err, ctx)) runtime.log.debug({ err, requestId }, 'client error');
    else runtime.log.error({ err, requestId }, 'request failed');
  });
  app.use(limitRequestTime());
  app.use(countRequests());
  app.use(clientAddress(config.trustedProxies));
  app.use(requestId());
  const traced = tracing();
  if (traced) app.use(traced.handleRequest);
  const shapeOf = errorShapes(config);
  app.use(linkHelp(helpLinks(config), shapeOf));
  app.use(protectAnswers(protection(config)));
  app.use(dateHeader(runtime));
  app.use(providePages(await createPlainPages(config)));
  app.use(healthRoutes(runtime));
  app.use(await siteFiles(config));
  if (config.surfaces.has('fan')) app.use(publicDocuments(runtime));
  const unknown = answerUnknown(config, hasPlayground(config, kit) ? playgroundUrl(runtime) : undefined);
  app.use(unknown);
  app.use(routeSurfaces(await surfacesOf(runtime, kit, unknown)));
  return app;
}

function hasPlayground({ surfaces, production }: Runtime['config'], kit: StarterKit | undefined): kit is StarterKit {
  return surfaces.has('playground') && kit !== undefined && !production;
}

function providePages(pages: PlainPages): Handler {
  return (ctx, next) => {
    ctx.state.pages = pages;
    return next();
  };
}

/** @param unknown answers browsers at unknown addresses; its answers are in the request log */
async function surfacesOf(runtime: Runtime, kit: StarterKit | undefined, unknown: Handler): Promise<Surface[]> {
  const { config } = runtime;
  const on = (name: SurfaceName) => config.surfaces.has(name);
  const surfaces: Surface[] = [];
  const recorded = (handle: Handler): Handler => compose([recordRequests(runtime), unknown, handle]);
  const requestErrors = answerRequestErrors(errorShapes(config));
  const pages = (handle: Handler): Handler => compose([requestErrors, checkRequest(), handle]);
  if (on('fan')) {
    surfaces.push({ url: config.apiUrl, handle: recorded(fanSurface(runtime)) });
    surfaces.push({ url: sandboxUrl(config), handle: recorded(sandboxSurface(runtime)) });
  }
  if (on('auth')) {
    const handle = recorded(oauthSurface(runtime));
    surfaces.push({ url: config.authUrl, handle }, { url: authServerMetadataUrl(config.authUrl), handle });
    const checks = goLiveCheckSurface(runtime);
    for (const url of [checksUrl(config), authServerMetadataUrl(checksUrl(config))])
      surfaces.push({ url, handle: checks });
  }
  if (on('login')) {
    const operator = await loadOperator(config);
    surfaces.push({ url: config.loginUrl, handle: recorded(pages(await loginSurface(runtime, operator))) });
    surfaces.push({ url: portalUrl(config), handle: recorded(pages(await portalSurface(runtime, operator))) });
  }
  const inbox = inboxUrl(config);
  if (inbox) surfaces.push({ url: inbox, handle: pages(inboxSurface(runtime, inbox)) });
  if (on('admin')) {
    // a process without the console does not need it
    const { adminSurface } = await import('./consoles/admin/surface.ts');
    surfaces.push({ url: config.adminUrl, handle: recorded(pages(await adminSurface(runtime))) });
  }
  if (on('docs')) {
    // a process without the documentation does not need it
    const { docsSurface } = await import('./public/docs/surface.ts');
    const playground = hasPlayground(config, kit) ? playgroundUrl(runtime) : undefined;
    const handle = pages(await docsSurface(runtime, { kit, playground }));
    surfaces.push({ url: config.docsUrl, handle }, { url: new URL('/llms.txt', config.docsUrl).href, handle });
  }
  if (on('partners')) {
    const { partnersSurface } = await import('./consoles/partners/surface.ts');
    surfaces.push({ url: config.partnersUrl, handle: recorded(pages(await partnersSurface(runtime))) });
  }
  if (hasPlayground(config, kit)) {
    surfaces.push({ url: playgroundUrl(runtime), handle: pages(await playgroundSurface(runtime, kit)) });
  }
  return surfaces;
}
