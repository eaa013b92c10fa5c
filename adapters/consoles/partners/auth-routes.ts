import { endBrowserSession } from '../../../src/people/account/sessions.ts';
import { askForLink } from '../../../src/people/workspace/ask-for-link.ts';
import { MEMBER_SIGN_IN } from '../../../src/people/workspace/partner-provider.ts';
import { lookAtMemberLink, spendMemberLink } from '../../../src/people/workspace/spend-link.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { showPage } from '../../http/show-page.ts';
import { basePath } from '../../http/surface.ts';
import { consoleCookies } from '../console-cookies.ts';
import { acceptsJson, type OpenedLink, readForm, sendToProvider, signInRoutes } from '../sign-in-routes.ts';

/** How the people of partners sign in and out, below `{PARTNERS_URL}/auth`. */
export function memberAuthRoutes(runtime: Runtime): Handler {
  const { partnersUrl } = runtime.config;
  const authUrl = `${partnersUrl}/auth`;
  const base = basePath(authUrl);
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);
  const console = { audience: 'member', url: partnersUrl, rules: MEMBER_SIGN_IN } as const;

  return signInRoutes(runtime, {
    ...console,
    startUrl: partnersUrl,
    linkPage: (context, opened) => memberLinkPage(context, authUrl, opened),
    spendLink: spendMemberLink,
    async signOut(context, secret) {
      await endBrowserSession(context, 'member', secret);
      return `${authUrl}/signed-out`;
    },
    signedOutPage: {
      title: 'You are signed out',
      paragraphs: ['You are no longer signed in to the partner workspace in this browser.'],
      next: { label: 'Sign in again', href: partnersUrl },
    },
    routes: [
      {
        // form: email. Answers 202 `{ "sent": true }` where JSON is accepted, otherwise with a page
        path: `${base}/email`,
        methods: ['POST'],
        cache: 'no-store',
        handle: (ctx) => sendLink(contextOf(ctx), ctx),
      },
      {
        // ?partner= names the partner whose provider is used
        path: `${base}/provider`,
        methods: ['GET'],
        async handle(ctx) {
          const partner = knownId('ptn', new URLSearchParams(ctx.querystring).get('partner') ?? '');
          await sendToProvider(contextOf(ctx), ctx, console, { partner, stepUpOf: null });
        },
      },
    ],
  });
}

async function memberLinkPage(context: ServiceContext, authUrl: string, opened: OpenedLink) {
  const { name, partnerName, partnerId, byProvider } = await lookAtMemberLink(context, opened);
  const title = `Sign in as ${name}`;
  return byProvider
    ? {
        title,
        paragraphs: [`${partnerName} signs in with its own sign-in service.`],
        next: { label: 'Continue', href: `${authUrl}/provider?partner=${partnerId}` },
      }
    : {
        title,
        paragraphs: [`This link opens the workspace of ${partnerName}. It works once.`],
        next: { label: 'Sign in', action: `${authUrl}/link`, fields: { secret: opened.secret } },
      };
}

async function sendLink(context: ServiceContext, ctx: RequestContext): Promise<void> {
  const form = await readForm(ctx);
  const browserSecret = consoleCookies(context.config, 'member').keepSignIn(ctx);
  const rest = await askForLink(context, { email: form.get('email') ?? '', address: ctx.ip, browserSecret });
  // after the answer, so that not even its timing shows whether the address is known
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

/** The page after a link was asked for: the same for every address. */
function linkSentPage(partnersUrl: string) {
  return {
    title: 'Check your e-mail',
    paragraphs: [
      'If this address belongs to a member of a partner, we have sent a sign-in link to it. It works once, within 15 minutes, in this browser.',
    ],
    next: { label: 'Back', href: partnersUrl },
  };
}
