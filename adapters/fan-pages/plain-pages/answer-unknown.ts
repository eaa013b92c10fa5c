import type { Config } from '../../../src/platform/config/config.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { showPage } from '../../http/show-page.ts';
import { basePath } from '../../http/surface.ts';
import { unknownAddressPage } from './fan-pages.ts';
import { homePage } from './home-page.ts';

/**
 * Answers a browser where no other handler has: with the start page at the root of a host and at the issuer's own address,
 * otherwise with a page that says that there is none. Programs get the same answer as without this handler.
 * @param playground address of the playground, if it is served
 */
export function answerUnknown(config: Config, playground: string | undefined): Handler {
  const issuerPath = basePath(config.authUrl);
  const homePaths = new Set(['/', issuerPath, `${issuerPath}/`]);
  const home = homePage(config, playground);
  const unknown = unknownAddressPage(config.knownSurfaces.has('auth') ? `${config.authUrl}/` : undefined);
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body != null || ctx.respond === false || !isForBrowser(ctx)) return;
    const isHome = homePaths.has(ctx.path);
    showPage(ctx, isHome ? 200 : 404, isHome ? home : unknown);
    ctx.vary('Accept');
    ctx.vary('Accept-Language');
  };
}

/** Whether a browser opens the address as a page, and no program reads it. */
export function isForBrowser(ctx: Pick<RequestContext, 'method' | 'accepts'>): boolean {
  return (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.accepts('json', 'html') === 'html';
}
