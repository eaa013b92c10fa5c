import { uuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { readBrowserCookie } from '../../http/browser-cookie.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import type { Handler } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { trpcRoute } from '../../http/trpc-calls.ts';
import type { Operator } from '../operator/load-operator.ts';
import { operatorLogoRoute } from '../operator/operator-logo.ts';
import { noScriptHtml } from '../plain-pages/page-html.ts';
import { askForHandOver, needsHandOver } from './hand-over.ts';
import { serveLogo } from './logo.ts';
import { loginRouter } from './router.ts';

/** The hosted login: the page, and the tRPC calls that it makes. */
export async function loginSurface(runtime: Runtime, operator: Operator): Promise<Handler> {
  const { loginUrl } = runtime.config;
  const base = basePath(loginUrl);
  const page = await loadBuiltPage(new URL('./ui/dist/', import.meta.url), loginUrl, {
    operator,
    noScript: noScriptHtml,
  });
  return serveRoutes([
    {
      path: [base || '/', `${base}/`],
      methods: ['GET'],
      operation: 'login.page',
      async handle(ctx) {
        if (await needsHandOver(runtime, ctx)) askForHandOver(runtime.config, ctx);
        else page.index(ctx);
      },
    },
    page.assets,
    { path: `${base}/logos/:clientId/:hash`, methods: ['GET'], handle: serveLogo(runtime) },
    operatorLogoRoute(runtime.config, operator),
    trpcRoute(runtime, {
      router: loginRouter,
      url: loginUrl,
      name: 'login',
      callOf: (ctx, context) => ({
        context,
        browserSecret: readBrowserCookie(ctx, runtime.config),
        address: ctx.ip,
        userAgent: ctx.get('user-agent'),
        sessionId: ctx.get('x-session-id') || undefined,
        onSession({ id, client, fan }) {
          ctx.state.caller = {
            session: uuidOf('sess', id),
            client: uuidOf('client', client.id),
            fan: fan ? uuidOf('usr', fan.id) : undefined,
            mode: client.mode,
          };
        },
      }),
    }),
  ]);
}
