import { loggedRedirectUri, withParameters } from '../../../src/partners/redirect-uri.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { tryUuidOf, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { OAuthError } from '../../../src/platform/oauth-error.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { loseSession } from '../../../src/sandbox/failure/bring-about.ts';
import { NOT_REGISTERED } from '../../../src/sign-in/authorization/authorize-request.ts';
import { denyAuthorization } from '../../../src/sign-in/authorization/complete-authorization.ts';
import {
  handOverSession,
  type StartedAuthorization,
  startAuthorization,
} from '../../../src/sign-in/authorization/start-authorization.ts';
import { unavailablePage, unusableLinkPage } from '../../fan-pages/plain-pages/fan-pages.ts';
import { readBrowserCookie, writeBrowserCookie } from '../../http/browser-cookie.ts';
import { URL_LIMIT_BYTES } from '../../http/check-request.ts';
import { logFailure, serverError } from '../../http/dependency.ts';
import { doCall } from '../../http/do-call.ts';
import { helpUrl } from '../../http/help-link.ts';
import { readBody } from '../../http/read-body.ts';
import { redirectTo } from '../../http/redirect.ts';
import { RequestError } from '../../http/request-error.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { isCrossOrigin } from '../../http/same-origin.ts';
import { showPage } from '../../http/show-page.ts';
import { FORM } from './form.ts';

/**
 * `GET` and `POST /oauth2/authorize`, alike: redirects to the hosted login, or to the partner with an error, or answers
 * with a page that names the fault.
 * @see OIDC Core §3.1.2.1
 */
export async function handleAuthorize(context: ServiceContext, ctx: RequestContext): Promise<void> {
  let parameters = new URLSearchParams();
  try {
    parameters = await readParameters(ctx);
    ctx.state.caller = { client: tryUuidOf('client', parameters.get('client_id') ?? '') };
    const browserSecret = readBrowserCookie(ctx, context.config);
    if (browserSecret === undefined && mayWithholdCookie(context, ctx) && sendAsQuery(context, ctx, parameters)) return;
    const started = await start(context, ctx, parameters, browserSecret);
    writeBrowserCookie(ctx, context.config, started.browserSecret);
    ctx.state.caller = { ...ctx.state.caller, session: uuidOf('sess', started.sessionId) };
    redirectTo(ctx, started.redirectTo);
  } catch (error) {
    if (error instanceof OAuthError && error.redirect !== undefined) {
      const { redirectUri, state } = error.redirect;
      ctx.state.outcome = error.error;
      ctx.state.message = error.message;
      redirectTo(ctx, withParameters(redirectUri, { error: error.error, error_description: error.message, state }));
    } else if (error instanceof RequestError || (error instanceof DomainError && error.code === 'invalid_request')) {
      ctx.state.outcome = 'invalid_request';
      ctx.state.message = loggedMessage(error.message, parameters);
      const status = error instanceof RequestError ? error.status : 400;
      const help = helpUrl(context.config, 'oauth', status, 'invalid_request');
      const page = unusableLinkPage({ error: 'invalid_request', description: error.message, help });
      showPage(ctx, status, page, parameters.get('ui_locales') ?? undefined);
    } else {
      // not the JSON of the other endpoints: a person waits at the browser
      logFailure(context.log, ctx.state, error, 'authorize failed');
      const { status, code, retryAfter } = serverError(error);
      ctx.state.outcome = code;
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
      showPage(ctx, status, unavailablePage, parameters.get('ui_locales'));
    }
  }
}

/** For support: the redirect URI that was sent. The page does not show it, because anybody can open the page. */
function loggedMessage(message: string, parameters: URLSearchParams): string {
  if (message !== NOT_REGISTERED) return message;
  return `${message} Sent: ${loggedRedirectUri(parameters.get('redirect_uri') ?? '')}`;
}

/** Starts a sign-in. In the sandbox it may be refused by the fan, or lost, as soon as it has started (D-300). */
async function start(
  context: ServiceContext,
  ctx: RequestContext,
  parameters: URLSearchParams,
  browserSecret: string | undefined,
): Promise<StartedAuthorization> {
  const subject = { clientId: parameters.get('client_id') ?? '' };
  return doCall(context, ctx, subject, async (within, failure) => {
    const started = await startAuthorization(within, parameters, browserSecret);
    const { sessionId: id, redirectUri, state } = started;
    if (failure === 'session_lost') await loseSession(within, id);
    if (failure !== 'consent_refused') return started;
    return { ...started, redirectTo: await denyAuthorization(within, { id, redirectUri, state }) };
  });
}

/** Of a posted form, the query of its URL is ignored. */
async function readParameters(ctx: RequestContext): Promise<URLSearchParams> {
  // not ctx.URL, which is empty where the Host header is invalid
  return new URLSearchParams(ctx.method === 'POST' ? await readBody(ctx, FORM) : ctx.querystring);
}

/** A form posted by another site's page arrives without our cookie, which is `SameSite=Lax`. */
function mayWithholdCookie({ config }: Pick<ServiceContext, 'config'>, ctx: RequestContext): boolean {
  return ctx.method === 'POST' && isCrossOrigin(ctx, config.authUrl);
}

/**
 * Lets the browser repeat a posted request by GET, which carries its cookie. A new cookie instead would end the sign-ins
 * in its other tabs.
 * @returns false where the parameters are too long for a URL
 */
function sendAsQuery(
  { config }: Pick<ServiceContext, 'config'>,
  ctx: RequestContext,
  parameters: URLSearchParams,
): boolean {
  const url = `${config.authUrl}/oauth2/authorize?${parameters}`;
  if (url.length > URL_LIMIT_BYTES) return false;
  // the sign-in begins with the next request
  ctx.state.operation = 'other';
  redirectTo(ctx, url);
  ctx.status = 303;
  return true;
}

/**
 * `GET /oauth2/hand-over`: only where the login pages have another host. Binds the session of this browser to the cookie
 * that it has there, and sends it back.
 */
export async function handleHandOver(context: ServiceContext, ctx: RequestContext): Promise<void> {
  const parameters = new URLSearchParams(ctx.querystring);
  const sessionId = parameters.get('session_id') ?? '';
  await handOverSession(context, sessionId, readBrowserCookie(ctx, context.config), parameters.get('to') ?? '');
  const clientName = parameters.get('client_name') ?? undefined;
  redirectTo(
    ctx,
    withParameters(context.config.loginUrl, { session_id: sessionId, client_name: clientName, handed_over: '1' }),
  );
}
