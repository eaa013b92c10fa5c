import compose from 'koa-compose';
import { askForLink } from '../../../src/people/workspace/ask-for-link.ts';
import { beginProviderSignIn } from '../../../src/people/workspace/begin-provider-sign-in.ts';
import { finishProviderSignIn } from '../../../src/people/workspace/finish-provider-sign-in.ts';
import { endMemberSession } from '../../../src/people/workspace/own-sessions.ts';
import { lookAtMemberLink, spendMemberLink } from '../../../src/people/workspace/spend-link.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import { showPage } from '../../http/plain-page.ts';
import { readBody } from '../../http/read-body.ts';
import { deviceOf } from '../../http/read-call.ts';
import { redirectTo } from '../../http/redirect.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { returnAddress } from '../../http/return-to.ts';
import { serveRoutes } from '../../http/routes.ts';
import { refuseOtherSites } from '../../http/same-origin.ts';
import { signInErrors } from '../../http/sign-in-errors.ts';
import { basePath } from '../../http/surface.ts';
import { linkSentPage, memberLinkPage, memberSignedOutPage } from './auth-pages.ts';
import {
  clearSignInSecret,
  keepSignInSecret,
  readMemberSession,
  readSignInSecret,
  writeMemberSession,
} from './member-cookie.ts';

/** How the people of partners sign in and out, below `{PARTNERS_URL}/auth`. */
export function memberAuthRoutes(runtime: Runtime): Handler {
  const { config } = runtime;
  const { partnersUrl } = config;
  const authUrl = `${partnersUrl}/auth`;
  const base = basePath(authUrl);
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);
  const queryOf = (ctx: RequestContext) => new URLSearchParams(ctx.querystring);

  const routes = serveRoutes([
    {
      // form: email. Answers 202 `{ "sent": true }` where JSON is accepted, else with a page
      path: `${base}/email`,
      methods: ['POST'],
      cache: 'no-store',
      handle: (ctx) => sendLink(contextOf(ctx), ctx),
    },
    {
      // ?secret= shows whom a link signs in
      path: `${base}/link`,
      methods: ['GET'],
      async handle(ctx) {
        const secret = queryOf(ctx).get('secret') ?? '';
        const opened = { secret, browserSecret: readSignInSecret(ctx, config) };
        showPage(ctx, 200, memberLinkPage(authUrl, secret, await lookAtMemberLink(contextOf(ctx), opened)));
      },
    },
    { path: `${base}/link`, methods: ['POST'], handle: (ctx) => signInByLink(contextOf(ctx), ctx) },
    {
      // ?partner=&returnTo= goes to the partner's own provider
      path: `${base}/provider`,
      methods: ['GET'],
      async handle(ctx) {
        const query = queryOf(ctx);
        const wish = {
          partnerId: query.get('partner') ?? '',
          browserSecret: keepSignInSecret(ctx, config),
          returnTo: returnAddress(partnersUrl, query.get('returnTo')),
        };
        redirectTo(ctx, await beginProviderSignIn(contextOf(ctx), wish));
      },
    },
    {
      path: `${base}/callback`,
      methods: ['GET'],
      async handle(ctx) {
        const { secret, returnTo } = await finishProviderSignIn(contextOf(ctx), {
          query: queryOf(ctx),
          browserSecret: readSignInSecret(ctx, config),
          replaces: readMemberSession(ctx, config),
          device: deviceOf(ctx),
        });
        clearSignInSecret(ctx, config);
        writeMemberSession(ctx, config, secret);
        redirectTo(ctx, returnTo);
      },
    },
    {
      // answers with the next address as `{ "redirectTo" }` where JSON is accepted, else by a redirect
      path: `${base}/logout`,
      methods: ['POST'],
      async handle(ctx) {
        await endMemberSession(contextOf(ctx), readMemberSession(ctx, config));
        writeMemberSession(ctx, config, undefined);
        const next = `${authUrl}/signed-out`;
        if (acceptsJson(ctx)) ctx.body = { redirectTo: next };
        else redirectTo(ctx, next);
      },
    },
    {
      path: `${base}/signed-out`,
      methods: ['GET'],
      handle: (ctx) => showPage(ctx, 200, memberSignedOutPage(partnersUrl)),
    },
  ]);

  const handle: Handler = compose([
    signInErrors(runtime.log, partnersUrl, 'partner'),
    refuseOtherSites(partnersUrl),
    routes,
  ]);
  // other addresses belong to the workspace's page
  return (ctx, next) => (ctx.path.startsWith(`${base}/`) ? handle(ctx, async () => {}) : next());
}

async function sendLink(context: ServiceContext, ctx: RequestContext): Promise<void> {
  const form = new URLSearchParams(await readBody(ctx, 'application/x-www-form-urlencoded'));
  const browserSecret = keepSignInSecret(ctx, context.config);
  const rest = await askForLink(context, { email: form.get('email') ?? '', address: ctx.ip, browserSecret });
  // after the answer, which says nothing about the address: not by its time either
  setImmediate(() => {
    void rest().catch((err: unknown) =>
      context.log.error({ err, requestId: context.requestId }, 'no sign-in link sent'),
    );
  });
  if (acceptsJson(ctx)) {
    ctx.status = 202;
    ctx.body = { sent: true };
  } else showPage(ctx, 202, linkSentPage(context.config.partnersUrl));
}

async function signInByLink(context: ServiceContext, ctx: RequestContext): Promise<void> {
  const { config } = context;
  const form = new URLSearchParams(await readBody(ctx, 'application/x-www-form-urlencoded'));
  const opened = { secret: form.get('secret') ?? '', browserSecret: readSignInSecret(ctx, config) };
  const replaces = readMemberSession(ctx, config);
  const secret = await spendMemberLink(context, opened, { replaces, device: deviceOf(ctx) });
  clearSignInSecret(ctx, config);
  writeMemberSession(ctx, config, secret);
  redirectTo(ctx, config.partnersUrl);
}

function acceptsJson(ctx: RequestContext): boolean {
  return ctx.get('Accept').includes('application/json');
}
