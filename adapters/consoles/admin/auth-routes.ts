import type { Context as Koa } from 'koa';
import compose from 'koa-compose';
import { beginSignIn } from '../../../src/people/staff/begin-sign-in.ts';
import { confirmSession } from '../../../src/people/staff/confirm-session.ts';
import { endSession } from '../../../src/people/staff/end-session.ts';
import { finishSignIn } from '../../../src/people/staff/finish-sign-in.ts';
import { makeLink, makeLocalAdminLink, type SignInLink } from '../../../src/people/staff/make-link.ts';
import { lookAtLink, useLink as spendLink } from '../../../src/people/staff/use-link.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import { showPage } from '../../http/plain-page.ts';
import { countCall, createLimiter } from '../../http/rate-limit.ts';
import { readBody } from '../../http/read-body.ts';
import { deviceOf, pathOf } from '../../http/read-call.ts';
import { redirectTo } from '../../http/redirect.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { returnAddress } from '../../http/return-to.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { refuseOtherSites } from '../../http/same-origin.ts';
import { signInErrors } from '../../http/sign-in-errors.ts';
import { basePath } from '../../http/surface.ts';
import { askForLinkPage, linkPage, linkPrintedPage, signedOutPage } from './auth-pages.ts';
import { findStaffBySession } from './find-staff.ts';
import { clearStaffCookie, readStaffCookie, writeStaffCookie } from './staff-cookie.ts';

/** Links that may be printed per minute: anyone may ask for one. */
const LINKS_PER_MINUTE = 6;

/** How staff sign in and out, below `{ADMIN_URL}/auth`. */
export function authRoutes(runtime: Runtime): Handler {
  const { config } = runtime;
  const authUrl = `${config.adminUrl}/auth`;
  const base = basePath(authUrl);
  const byProvider = config.staffProvider !== undefined;
  const printed = createLimiter(LINKS_PER_MINUTE);
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);

  const routes: Route[] = [
    {
      // ?returnTo=
      path: `${base}/sign-in`,
      methods: ['GET'],
      async handle(ctx) {
        if (byProvider) await sendToProvider(contextOf(ctx), ctx, null);
        else showPage(ctx, 200, askForLinkPage(authUrl));
      },
    },
    {
      // ?returnTo=
      path: `${base}/step-up`,
      methods: ['GET'],
      async handle(ctx) {
        const context = contextOf(ctx);
        const staff = await findStaffBySession(context, ctx);
        if (byProvider) await sendToProvider(context, ctx, staff?.id ?? null);
        else showPage(ctx, 200, askForLinkPage(authUrl));
      },
    },
    { path: `${base}/callback`, methods: ['GET'], handle: (ctx) => handleCallback(contextOf(ctx), ctx) },
    {
      // ?secret= shows whom a one-time link signs in
      path: `${base}/link`,
      methods: ['GET'],
      async handle(ctx) {
        const secret = new URLSearchParams(ctx.querystring).get('secret') ?? '';
        const { name } = await lookAtLink(contextOf(ctx), secret);
        showPage(ctx, 200, linkPage(authUrl, secret, name));
      },
    },
    { path: `${base}/link`, methods: ['POST'], handle: (ctx) => signInByLink(contextOf(ctx), ctx) },
    { path: `${base}/new-link`, methods: ['POST'], handle: (ctx) => printLink(contextOf(ctx), ctx, printed) },
    {
      // the fresh sign-in of the embedded default, from its own machine
      path: `${base}/confirm`,
      methods: ['POST'],
      async handle(ctx) {
        const secret = await confirmSession(contextOf(ctx), pathOf(ctx), readStaffCookie(ctx, config, 'session'));
        writeStaffCookie(ctx, config, 'session', secret);
        ctx.status = 204;
      },
    },
    {
      // answers with the next address as `{ "redirectTo" }` where JSON is accepted, else by a redirect
      path: `${base}/logout`,
      methods: ['POST'],
      async handle(ctx) {
        const next = await endSession(contextOf(ctx), readStaffCookie(ctx, config, 'session'));
        clearStaffCookie(ctx, config, 'session');
        if (ctx.get('Accept').includes('application/json')) ctx.body = { redirectTo: next };
        else redirectTo(ctx, next);
      },
    },
    {
      path: `${base}/signed-out`,
      methods: ['GET'],
      handle: (ctx) => showPage(ctx, 200, signedOutPage(authUrl)),
    },
  ];

  const handle: Handler = compose([
    signInErrors(runtime.log, `${authUrl}/sign-in`, 'staff'),
    refuseOtherSites(config.adminUrl),
    serveRoutes(routes),
  ]);
  // other addresses belong to the console's page
  return (ctx, next) => (ctx.path.startsWith(`${base}/`) ? handle(ctx, async () => {}) : next());
}

async function sendToProvider(context: ServiceContext, ctx: Koa, stepUpOf: Id<'stf'> | null): Promise<void> {
  const { config } = context;
  const { redirectTo: next, browserSecret } = await beginSignIn(context, {
    browserSecret: readStaffCookie(ctx, config, 'signIn'),
    returnTo: returnAddress(config.adminUrl, new URLSearchParams(ctx.querystring).get('returnTo')),
    stepUpOf,
  });
  writeStaffCookie(ctx, config, 'signIn', browserSecret);
  redirectTo(ctx, next);
}

async function handleCallback(context: ServiceContext, ctx: Koa): Promise<void> {
  const { config } = context;
  const { secret, returnTo } = await finishSignIn(context, {
    query: new URLSearchParams(ctx.querystring),
    browserSecret: readStaffCookie(ctx, config, 'signIn'),
    sessionSecret: readStaffCookie(ctx, config, 'session'),
    device: deviceOf(ctx),
  });
  clearStaffCookie(ctx, config, 'signIn');
  writeStaffCookie(ctx, config, 'session', secret);
  redirectTo(ctx, returnTo);
}

async function signInByLink(context: ServiceContext, ctx: Koa): Promise<void> {
  const { config } = context;
  const form = new URLSearchParams(await readBody(ctx, 'application/x-www-form-urlencoded'));
  const session = readStaffCookie(ctx, config, 'session');
  const secret = await spendLink(context, form.get('secret') ?? '', session, deviceOf(ctx));
  writeStaffCookie(ctx, config, 'session', secret);
  redirectTo(ctx, config.adminUrl);
}

/** Prints a link for the staff member who is signed in, so that they can sign in once more; else for the local admin. */
async function printLink(
  context: ServiceContext,
  ctx: RequestContext,
  printed: ReturnType<typeof createLimiter>,
): Promise<void> {
  const retryAfter = await countCall(ctx, printed, 'new-link');
  if (retryAfter !== undefined) {
    throw new DomainError('rate_limited', `Too many links were printed. Wait ${retryAfter} seconds.`, {
      retryAfter,
    });
  }
  const { url, name, expiresAt } = await makeLinkFor(context, ctx).catch(async (error: unknown) => {
    await printed.reward('new-link');
    throw error;
  });
  // who reads the output of the process may use the link
  context.log.warn({ link: url, expiresAt }, `one-time sign-in link for ${name}`);
  showPage(ctx, 200, linkPrintedPage(name));
}

async function makeLinkFor(context: ServiceContext, ctx: Koa): Promise<SignInLink> {
  const staff = await findStaffBySession(context, ctx);
  return staff ? makeLink(context, staff.id, `staff:${staff.id}`) : makeLocalAdminLink(context);
}
