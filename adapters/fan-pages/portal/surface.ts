import type { Config } from '../../../src/platform/config/config.ts';
import { uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { type PortalFan, requirePortalFan } from '../../../src/sign-in/portal/find-portal-session.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import { type Cookie, readCookie, writeCookie } from '../../http/cookie.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { trpcRoute } from '../../http/trpc-calls.ts';
import type { DownloadContext } from '../download/send-download.ts';
import type { Operator } from '../operator/load-operator.ts';
import { noScriptHtml } from '../plain-pages/page-html.ts';
import { serveReceipt } from './receipt/serve-receipt.ts';
import { portalRouter } from './router.ts';
import { serveOwnData } from './serve-own-data.ts';

/** Address of the portal: below the login pages, on the host that fans trust. */
export function portalUrl({ loginUrl }: Pick<Config, 'loginUrl'>): string {
  return `${loginUrl}/apps`;
}

/** The fans' portal: the page, and the tRPC calls that it makes. */
export async function portalSurface(runtime: Runtime, operator: Operator): Promise<Handler> {
  const url = portalUrl(runtime.config);
  const base = basePath(url);
  // no other site has a reason to send the browser here signed in
  const cookie: Cookie = { name: 'fan_portal', url: runtime.config.loginUrl, sameSite: 'Strict' };
  const secretOf = (ctx: RequestContext) => readCookie(ctx, cookie);
  const onFan = (ctx: RequestContext, fan: PortalFan) => {
    ctx.state.caller = { fan: uuidOf('usr', fan.id), mode: fan.mode };
  };
  /** What a download needs. */
  function visitOf(ctx: DownloadContext) {
    const context = createContext(runtime, ctx.state.requestId);
    const requireFan = async () => {
      const fan = await requirePortalFan(context, secretOf(ctx));
      onFan(ctx, fan);
      return fan;
    };
    return [context, ctx, { portal: url, requireFan }] as const;
  }
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), url, { operator, noScript: noScriptHtml });
  return serveRoutes([
    { path: [base, `${base}/`], methods: ['GET'], operation: 'portal.page', handle: (ctx) => page.index(ctx) },
    page.assets,
    {
      path: `${base}/receipts/:file`,
      methods: ['GET'],
      operation: 'portal.receipt',
      handle: (ctx) => serveReceipt(...visitOf(ctx)),
    },
    {
      path: `${base}/data/:file`,
      methods: ['GET'],
      operation: 'portal.data',
      handle: (ctx) => serveOwnData(...visitOf(ctx)),
    },
    trpcRoute(runtime, {
      router: portalRouter,
      url,
      name: 'portal',
      callOf: (ctx, context) => ({
        context,
        secret: secretOf(ctx),
        address: ctx.ip,
        userAgent: ctx.get('user-agent'),
        writeSecret: (secret) => writeCookie(ctx, cookie, secret ?? '', secret === undefined ? 0 : undefined),
        onFan: (fan) => onFan(ctx, fan),
      }),
    }),
  ]);
}
