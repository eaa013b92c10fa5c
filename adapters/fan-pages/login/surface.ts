import type { Context as Koa } from 'koa';
import { readClientLogo } from '../../../src/partners/client/client-logo.ts';
import { withParameters } from '../../../src/partners/redirect-uri.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { hashOf, newBrowserSecret } from '../../../src/platform/identifier/secret-value.ts';
import { uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { findSession } from '../../../src/sign-in/authorization/find-session.ts';
import { hasSeparateLoginHost, readBrowserCookie, writeBrowserCookie } from '../../http/browser-cookie.ts';
import { loadBuiltPage } from '../../http/built-page.ts';
import { redirectTo } from '../../http/redirect.ts';
import type { Handler } from '../../http/request-state.ts';
import { serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { trpcRoute } from '../../http/trpc-calls.ts';
import type { Operator } from '../operator/load-operator.ts';
import { operatorLogoRoute } from '../operator/operator-logo.ts';
import { noScriptHtml } from '../plain-pages/page-html.ts';
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

const YEAR_SECONDS = 365 * 86_400;

/**
 * `GET {LOGIN_URL}/logos/{client_id}/{start of the hash}`: a logo that a partner supplied. The address contains its hash, so
 * browsers cache it for good. The headers make a browser treat it as this type of image only, run no script in it, and show
 * it on our own pages only.
 */
function serveLogo(runtime: Pick<Runtime, 'pool'>): (ctx: Koa) => Promise<void> {
  return async (ctx) => {
    const { clientId, hash } = ctx.params as { clientId: string; hash: string };
    const logo = await readClientLogo(runtime, clientId, hash);
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (logo) {
      ctx.set('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
      ctx.type = `image/${logo.kind}`;
      ctx.body = logo.image;
    } else {
      ctx.set('Cache-Control', 'no-store');
      ctx.status = 404;
      ctx.body = 'There is no such logo.';
    }
  };
}

/**
 * A session is handed over to the host of the login pages, where that is not the issuer's (`start-authorization.ts`).
 * @returns whether the session in the link is not bound to this browser yet; false once the issuer's host was asked.
 */
async function needsHandOver(runtime: Runtime, ctx: Koa): Promise<boolean> {
  const parameters = new URLSearchParams(ctx.querystring);
  const sessionId = parameters.get('session_id');
  if (!hasSeparateLoginHost(runtime.config) || !sessionId || parameters.has('handed_over')) return false;
  const secret = readBrowserCookie(ctx, runtime.config);
  return findSession(createContext(runtime, null), secret, sessionId).then(
    () => false,
    (error: unknown) => error instanceof DomainError && error.code === 'session_elsewhere',
  );
}

/** Sets a cookie for this host and redirects to the issuer's host, which checks that the browser started the session. */
function askForHandOver(config: Pick<Config, 'authUrl' | 'loginUrl'>, ctx: Koa): void {
  const parameters = new URLSearchParams(ctx.querystring);
  const secret = readBrowserCookie(ctx, config) ?? newBrowserSecret();
  writeBrowserCookie(ctx, config, secret);
  redirectTo(
    ctx,
    withParameters(`${config.authUrl}/oauth2/hand-over`, {
      session_id: parameters.get('session_id') ?? '',
      client_name: parameters.get('client_name') ?? undefined,
      to: hashOf(secret),
    }),
  );
}
