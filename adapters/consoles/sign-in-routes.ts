import compose from 'koa-compose';
import type { Audience } from '../../src/entities/account.ts';
import {
  beginProviderSignIn,
  finishProviderSignIn,
  type SignInRules,
  type SignInWish,
} from '../../src/people/account/provider-sign-in.ts';
import type { Device } from '../../src/platform/device.ts';
import type { SessionSecret } from '../../src/platform/identifier/secret-value.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import type { PlainPage } from '../http/plain-page.ts';
import { readBody } from '../http/read-body.ts';
import { deviceOf } from '../http/read-call.ts';
import { redirectTo } from '../http/redirect.ts';
import type { Handler, RequestContext } from '../http/request-state.ts';
import { type Route, serveRoutes } from '../http/routes.ts';
import { refuseOtherSites } from '../http/same-origin.ts';
import { showPage } from '../http/show-page.ts';
import { signInErrors } from '../http/sign-in-errors.ts';
import { basePath } from '../http/surface.ts';
import { consoleCookies } from './console-cookies.ts';

/** Most characters of a return address. */
const LONGEST_RETURN = 2_000;

/** A link, and the browser that opened it. */
export interface OpenedLink {
  secret: string;
  /** From the cookie that binds a sign-in to its browser. */
  browserSecret: string | undefined;
}

/** How the people of one console sign in and out. */
export interface ConsoleSignIn {
  audience: Audience;
  /** Address of the console; sign-in is below `/auth`. */
  url: string;
  /** Where a failed sign-in starts again. */
  startUrl: string;
  rules: SignInRules;
  /** The page of an opened link: it waits for a click, because programs open links to preview them and must not spend them. */
  linkPage(context: ServiceContext, opened: OpenedLink): Promise<PlainPage>;
  spendLink(
    context: ServiceContext,
    opened: OpenedLink,
    browser: { replaces: string | undefined; device: Device },
  ): Promise<SessionSecret>;
  /** @returns where to send the browser */
  signOut(context: ServiceContext, secret: string | undefined): Promise<string>;
  signedOutPage: PlainPage;
  /** Its own addresses. */
  routes: Route[];
}

export function signInRoutes(runtime: Runtime, console: ConsoleSignIn): Handler {
  const { config, log } = runtime;
  const { audience, url, rules } = console;
  const base = basePath(`${url}/auth`);
  const cookies = consoleCookies(config, audience);
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);

  const routes = serveRoutes([
    ...console.routes,
    {
      // ?secret= shows whom a one-time link signs in
      path: `${base}/link`,
      methods: ['GET'],
      async handle(ctx) {
        const secret = new URLSearchParams(ctx.querystring).get('secret') ?? '';
        const opened = { secret, browserSecret: cookies.readSignIn(ctx) };
        showPage(ctx, 200, await console.linkPage(contextOf(ctx), opened));
      },
    },
    {
      path: `${base}/link`,
      methods: ['POST'],
      async handle(ctx) {
        const secret = (await readForm(ctx)).get('secret') ?? '';
        const browser = { replaces: cookies.readSession(ctx), device: deviceOf(ctx) };
        const opened = { secret, browserSecret: cookies.readSignIn(ctx) };
        const session = await console.spendLink(contextOf(ctx), opened, browser);
        if (opened.browserSecret !== undefined) cookies.clearSignIn(ctx);
        cookies.writeSession(ctx, session);
        redirectTo(ctx, url);
      },
    },
    {
      path: `${base}/callback`,
      methods: ['GET'],
      async handle(ctx) {
        const { secret, returnTo } = await finishProviderSignIn(contextOf(ctx), rules, {
          query: new URLSearchParams(ctx.querystring),
          browserSecret: cookies.readSignIn(ctx),
          replaces: cookies.readSession(ctx),
          device: deviceOf(ctx),
        });
        cookies.clearSignIn(ctx);
        cookies.writeSession(ctx, secret);
        redirectTo(ctx, returnTo);
      },
    },
    {
      // answers with the next address as `{ "redirectTo" }` where JSON is accepted, otherwise by a redirect
      path: `${base}/logout`,
      methods: ['POST'],
      async handle(ctx) {
        const next = await console.signOut(contextOf(ctx), cookies.readSession(ctx));
        cookies.clearSession(ctx);
        if (acceptsJson(ctx)) ctx.body = { redirectTo: next };
        else redirectTo(ctx, next);
      },
    },
    { path: `${base}/signed-out`, methods: ['GET'], handle: (ctx) => showPage(ctx, 200, console.signedOutPage) },
  ]);

  const handle: Handler = compose([signInErrors(log, console.startUrl, audience), refuseOtherSites(url), routes]);
  // other addresses belong to the console's page
  return (ctx, next) => (ctx.path.startsWith(`${base}/`) ? handle(ctx, async () => {}) : next());
}

/** Sends the browser to a provider. `?returnTo=` is the address to return to. */
export async function sendToProvider(
  context: ServiceContext,
  ctx: RequestContext,
  { audience, url, rules }: Pick<ConsoleSignIn, 'audience' | 'url' | 'rules'>,
  wish: Pick<SignInWish, 'partner' | 'stepUpOf'>,
): Promise<void> {
  const browserSecret = consoleCookies(context.config, audience).keepSignIn(ctx);
  const returnTo = returnAddress(url, new URLSearchParams(ctx.querystring).get('returnTo'));
  redirectTo(ctx, await beginProviderSignIn(context, rules, { ...wish, browserSecret, returnTo }));
}

/**
 * The address after a sign-in: the requested one if it is a page of the surface, otherwise the first page, so that the sign-in
 * is no open redirect.
 * @param asked such as `/admin/clients?search=x`
 */
function returnAddress(baseUrl: string, asked: string | null): string {
  const base = basePath(baseUrl);
  if (asked === null || asked.length > LONGEST_RETURN || !asked.startsWith('/') || !URL.canParse(asked, baseUrl)) {
    return baseUrl;
  }
  const { origin, pathname, search } = new URL(asked, baseUrl);
  const inside = pathname === base || pathname.startsWith(`${base}/`);
  const isPage = inside && !pathname.startsWith(`${base}/auth/`) && origin === new URL(baseUrl).origin;
  return isPage ? `${origin}${pathname}${search}` : baseUrl;
}

export async function readForm(ctx: RequestContext): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(ctx, 'application/x-www-form-urlencoded'));
}

export function acceptsJson(ctx: RequestContext): boolean {
  return ctx.get('Accept').includes('application/json');
}
