import Router from '@koa/router';
import type { Context as Koa, Middleware } from 'koa';
import compose from 'koa-compose';
import { DomainError } from '../../src/errors.ts';
import type { Id } from '../../src/identifier/type-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { beginSignIn } from '../../src/staff/begin-sign-in.ts';
import { endSession } from '../../src/staff/end-session.ts';
import { findSession } from '../../src/staff/find-session.ts';
import { finishSignIn } from '../../src/staff/finish-sign-in.ts';
import { makeLink, makeLocalAdminLink } from '../../src/staff/make-link.ts';
import { lookAtLink, useLink } from '../../src/staff/use-link.ts';
import { showPage } from '../http/plain-page.ts';
import { countCall, createLimiter, type Limiter } from '../http/rate-limit.ts';
import { readBody } from '../http/read-body.ts';
import { redirectTo } from '../http/redirect.ts';
import type { RequestState } from '../http/request-id.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { basePath } from '../http/surface.ts';
import { announceLink } from './announce-link.ts';
import { authErrors } from './auth-errors.ts';
import { askForLinkPage, linkPage, linkPrintedPage, signedOutPage } from './auth-pages.ts';
import { returnAddress } from './return-to.ts';
import { clearStaffCookie, readStaffCookie, writeStaffCookie } from './staff-cookie.ts';

/** Links that may be printed per minute: anybody may ask for one. */
const LINKS_PER_MINUTE = 6;

/**
 * How staff sign in and out, below `{ADMIN_URL}/auth`:
 * - `GET sign-in?returnTo=`, `GET step-up?returnTo=`: to the provider, or how to get a link; `GET callback`: back from there
 * - `GET link?secret=` shows who a one-time link signs in, `POST link` does it; `POST new-link` prints one
 * - `POST logout`: answers with the next address as `{ "redirectTo" }` where JSON is accepted, else by sending there
 */
export function authRoutes(runtime: Runtime): Middleware<RequestState> {
  const { config } = runtime;
  const authUrl = `${config.adminUrl}/auth`;
  const byProvider = config.staffProvider !== undefined;
  const printed = createLimiter(LINKS_PER_MINUTE);
  const router = new Router<RequestState>({ prefix: basePath(authUrl) });
  const contextOf = (ctx: Koa) => createContext(runtime, (ctx.state as RequestState).requestId);

  router.get('/sign-in', async (ctx) => {
    if (byProvider) await sendToProvider(contextOf(ctx), ctx, null);
    else showPage(ctx, 200, askForLinkPage(authUrl, ctx.state.requestId), 'same-origin');
  });
  router.get('/step-up', async (ctx) => {
    const context = contextOf(ctx);
    const staff = await sessionOf(context, ctx);
    if (byProvider) await sendToProvider(context, ctx, staff?.id ?? null);
    else showPage(ctx, 200, askForLinkPage(authUrl, ctx.state.requestId), 'same-origin');
  });
  router.get('/callback', (ctx) => handleCallback(contextOf(ctx), ctx));
  router.get('/link', async (ctx) => {
    const secret = new URLSearchParams(ctx.querystring).get('secret') ?? '';
    const { name } = await lookAtLink(contextOf(ctx), secret);
    showPage(ctx, 200, linkPage(authUrl, secret, name, ctx.state.requestId), 'same-origin');
  });
  router.post('/link', async (ctx) => {
    const form = new URLSearchParams(await readBody(ctx, 'application/x-www-form-urlencoded'));
    const session = readStaffCookie(ctx, config, 'session');
    writeStaffCookie(ctx, config, 'session', await useLink(contextOf(ctx), form.get('secret') ?? '', session));
    redirectTo(ctx, config.adminUrl);
  });
  router.post('/new-link', (ctx) => printLink(contextOf(ctx), ctx, printed));
  router.post('/logout', async (ctx) => {
    const next = await endSession(contextOf(ctx), readStaffCookie(ctx, config, 'session'));
    clearStaffCookie(ctx, config, 'session');
    if (ctx.get('Accept').includes('application/json')) ctx.body = { redirectTo: next };
    else redirectTo(ctx, next);
  });
  router.get('/signed-out', (ctx) => showPage(ctx, 200, signedOutPage(authUrl, ctx.state.requestId)));

  const handle = compose([
    authErrors(runtime.log, `${authUrl}/sign-in`),
    refuseOtherSites(config.adminUrl),
    router.routes() as unknown as Middleware<RequestState>,
    router.allowedMethods() as unknown as Middleware<RequestState>,
  ]);
  // the rest is the console's page, and not for these rules
  return (ctx, next) => (ctx.path.startsWith(`${basePath(authUrl)}/`) ? handle(ctx, async () => {}) : next());
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
  });
  clearStaffCookie(ctx, config, 'signIn');
  writeStaffCookie(ctx, config, 'session', secret);
  redirectTo(ctx, returnTo);
}

/** For who is signed in, so that they can prove again who they are; else for the local admin. */
async function printLink(context: ServiceContext, ctx: Koa, printed: Limiter): Promise<void> {
  const retryAfter = await countCall(ctx, printed, 'new-link');
  if (retryAfter !== undefined) {
    throw new DomainError('rate_limited', `Many links were printed just now: wait ${retryAfter} seconds.`, {
      retryAfter,
    });
  }
  const link = await linkFor(context, ctx).catch(async (error: unknown) => {
    await printed.reward('new-link');
    throw error;
  });
  announceLink(context.log, link);
  showPage(ctx, 200, linkPrintedPage(link.name, context.requestId ?? ''));
}

async function linkFor(context: ServiceContext, ctx: Koa) {
  const staff = await sessionOf(context, ctx);
  return staff ? makeLink(context, staff.id, `staff:${staff.id}`) : makeLocalAdminLink(context);
}

async function sessionOf(context: ServiceContext, ctx: Koa) {
  const secret = readStaffCookie(ctx, context.config, 'session');
  return secret === undefined ? undefined : findSession(context, secret);
}

/** What changes anything comes from a page of ours. */
function refuseOtherSites(adminUrl: string): Middleware<RequestState> {
  return (ctx, next) => {
    if (ctx.method === 'POST' && isCrossOrigin(ctx, adminUrl)) {
      throw new DomainError('forbidden', 'This was sent by a page of another site.');
    }
    return next();
  };
}
