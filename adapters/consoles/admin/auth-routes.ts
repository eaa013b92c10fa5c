import { confirmSession } from '../../../src/people/staff/confirm-session.ts';
import { makeLink, makeLocalAdminLink, type SignInLink } from '../../../src/people/staff/make-link.ts';
import { STAFF_SIGN_IN } from '../../../src/people/staff/provider-sign-in.ts';
import { endSession } from '../../../src/people/staff/sign-out.ts';
import { lookAtLink, useLink as spendLink } from '../../../src/people/staff/use-link.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import type { PlainPage } from '../../http/plain-page.ts';
import { createLimiter, limitCall } from '../../http/rate-limit.ts';
import { pathOf } from '../../http/read-call.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { showPage } from '../../http/show-page.ts';
import { basePath } from '../../http/surface.ts';
import { consoleCookies } from '../console-cookies.ts';
import { sendToProvider, signInRoutes } from '../sign-in-routes.ts';
import { findStaffBySession } from './find-staff.ts';

/** Links that may be printed per minute: anyone may ask for one. */
const LINKS_PER_MINUTE = 6;

/** How staff sign in and out, below `{ADMIN_URL}/auth`. */
export function authRoutes(runtime: Runtime): Handler {
  const { config } = runtime;
  const { adminUrl } = config;
  const authUrl = `${adminUrl}/auth`;
  const base = basePath(authUrl);
  const byProvider = config.staffProvider !== undefined;
  const printed = createLimiter(LINKS_PER_MINUTE);
  const cookies = consoleCookies(config, 'staff');
  const contextOf = (ctx: RequestContext) => createContext(runtime, ctx.state.requestId);

  const console = { audience: 'staff', url: adminUrl, rules: STAFF_SIGN_IN } as const;
  const begin = async (context: ServiceContext, ctx: RequestContext, stepUpOf: Id<'stf'> | null) => {
    if (byProvider) await sendToProvider(context, ctx, console, { partner: null, stepUpOf });
    else showPage(ctx, 200, askForLinkPage(authUrl));
  };

  return signInRoutes(runtime, {
    ...console,
    startUrl: `${authUrl}/sign-in`,
    async linkPage(context, { secret }) {
      const { name } = await lookAtLink(context, secret);
      return {
        title: `Sign in as ${name}`,
        paragraphs: ['This link signs you in to the console. It works once.'],
        next: { label: 'Sign in', action: `${authUrl}/link`, fields: { secret } },
      };
    },
    spendLink: (context, { secret }, { replaces, device }) => spendLink(context, secret, replaces, device),
    signOut: endSession,
    // signed out here, and at the provider if it has a logout
    signedOutPage: {
      title: 'You are signed out',
      paragraphs: ['You are no longer signed in to the console in this browser.'],
      next: { label: 'Sign in again', href: `${authUrl}/sign-in` },
    },
    routes: [
      { path: `${base}/sign-in`, methods: ['GET'], handle: (ctx) => begin(contextOf(ctx), ctx, null) },
      {
        path: `${base}/step-up`,
        methods: ['GET'],
        async handle(ctx) {
          const context = contextOf(ctx);
          await begin(context, ctx, (await findStaffBySession(context, ctx))?.id ?? null);
        },
      },
      { path: `${base}/new-link`, methods: ['POST'], handle: (ctx) => printLink(contextOf(ctx), ctx, printed) },
      {
        // replaces a fresh sign-in in the embedded default, on its own machine only
        path: `${base}/confirm`,
        methods: ['POST'],
        async handle(ctx) {
          cookies.writeSession(ctx, await confirmSession(contextOf(ctx), pathOf(ctx), cookies.readSession(ctx)));
          ctx.status = 204;
        },
      },
    ],
  });
}

/** Prints a link for the staff member who is signed in, so that they can sign in again; otherwise for the local admin. */
async function printLink(
  context: ServiceContext,
  ctx: RequestContext,
  printed: ReturnType<typeof createLimiter>,
): Promise<void> {
  await limitCall(ctx, printed, 'new-link', (seconds) => `Too many links were printed. Wait ${seconds} seconds.`);
  const { url, name, expiresAt } = await makeLinkFor(context, ctx).catch(async (error: unknown) => {
    await printed.reward('new-link');
    throw error;
  });
  // anyone who reads the output of the process may use the link
  context.log.warn({ link: url, expiresAt }, `one-time sign-in link for ${name}`);
  showPage(ctx, 200, linkPrintedPage(name));
}

async function makeLinkFor(context: ServiceContext, ctx: RequestContext): Promise<SignInLink> {
  const staff = await findStaffBySession(context, ctx);
  return staff ? makeLink(context, staff.id, `staff:${staff.id}`) : makeLocalAdminLink(context);
}

/** The sign-in page where no provider is configured. */
function askForLinkPage(authUrl: string): PlainPage {
  return {
    title: 'Sign in to the console',
    paragraphs: [
      'No company sign-in service is configured, so the server prints sign-in links to its output. Open the link it printed at the start, or print a new one.',
    ],
    next: { label: 'Print a sign-in link', action: `${authUrl}/new-link`, fields: {} },
  };
}

function linkPrintedPage(name: string): PlainPage {
  return {
    title: 'A sign-in link was printed',
    paragraphs: [
      `The server’s output now ends with a sign-in link for ${name}. It works once, within 15 minutes.`,
      'Open it in this browser to renew the session in every tab and continue your work.',
    ],
  };
}
