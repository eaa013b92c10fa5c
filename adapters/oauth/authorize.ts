import type { Context as Koa } from 'koa';
import { handOverSession } from '../../src/authorization/hand-over-session.ts';
import { startAuthorization } from '../../src/authorization/start-authorization.ts';
import { DomainError } from '../../src/errors.ts';
import { tryUuidOf } from '../../src/identifier/type-id.ts';
import { OAuthError } from '../../src/oauth/oauth-error.ts';
import { withParameters } from '../../src/oauth/redirect-uri.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { readBrowserCookie, writeBrowserCookie } from '../http/browser-cookie.ts';
import { URL_LIMIT_BYTES } from '../http/check-request.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import { showPage } from '../http/plain-page.ts';
import { readBody } from '../http/read-body.ts';
import { learn } from '../http/record-requests.ts';
import { redirectTo } from '../http/redirect.ts';
import { RequestError } from '../http/request-error.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { unavailablePage, unusableLinkPage } from './error-page.ts';
import { FORM } from './form.ts';

/**
 * `GET` and `POST /oauth2/authorize`, alike: on to the hosted login, back to the partner with an error, or a page that says
 * what is wrong.
 * @see OIDC Core §3.1.2.1
 */
export async function handleAuthorize(context: ServiceContext, ctx: Koa): Promise<void> {
  learn(ctx, { operation: 'authorize.start' });
  try {
    const parameters = await readParameters(ctx);
    learn(ctx, { client: tryUuidOf('client', parameters.get('client_id') ?? '') ?? null });
    const browserSecret = readBrowserCookie(ctx, context.config);
    if (browserSecret === undefined && mayWithholdCookie(context, ctx) && sendAsQuery(context, ctx, parameters)) return;
    const started = await startAuthorization(context, parameters, browserSecret);
    writeBrowserCookie(ctx, context.config, started.browserSecret);
    learn(ctx, { session: sessionIn(started.redirectTo) });
    redirectTo(ctx, started.redirectTo);
  } catch (error) {
    if (error instanceof OAuthError && error.redirect !== undefined) {
      const { redirectUri, state } = error.redirect;
      learn(ctx, { outcome: error.error });
      redirectTo(ctx, withParameters(redirectUri, { error: error.error, error_description: error.message, state }));
    } else if (error instanceof DomainError && error.code === 'invalid_request') {
      learn(ctx, { outcome: error.code });
      showPage(ctx, 400, unusableLinkPage(error.message, context.requestId ?? ''));
    } else if (error instanceof RequestError) {
      learn(ctx, { outcome: 'invalid_request' });
      showPage(ctx, error.status, unusableLinkPage(error.message, context.requestId ?? ''));
    } else {
      // not the JSON of the other endpoints: a person waits at the browser
      context.log.error({ err: error, requestId: context.requestId }, 'authorize failed');
      const down = isDependencyDown(error);
      learn(ctx, { outcome: down ? 'unavailable' : 'internal' });
      if (down) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      showPage(ctx, down ? 503 : 500, unavailablePage(context.requestId ?? ''));
    }
  }
}

/** Of a form the query of its address counts for nothing. */
async function readParameters(ctx: Koa): Promise<URLSearchParams> {
  // not ctx.URL, which is empty where the Host header is no host
  return new URLSearchParams(ctx.method === 'POST' ? await readBody(ctx, FORM) : ctx.querystring);
}

/** A form that another site's page posts comes without the cookie, which is `SameSite=Lax`, also where the browser has it. */
function mayWithholdCookie({ config }: Pick<ServiceContext, 'config'>, ctx: Koa): boolean {
  return ctx.method === 'POST' && isCrossOrigin(ctx, config.authUrl);
}

/**
 * Lets the browser repeat a posted request by GET, with which it sends its cookie. A new cookie instead would end the
 * sign-ins that run in its other tabs.
 * @returns false where the parameters are too long for a URL
 */
function sendAsQuery({ config }: Pick<ServiceContext, 'config'>, ctx: Koa, parameters: URLSearchParams): boolean {
  const url = `${config.authUrl}/oauth2/authorize?${parameters}`;
  if (url.length > URL_LIMIT_BYTES) return false;
  // the sign-in begins with the next request
  learn(ctx, { operation: 'other' });
  redirectTo(ctx, url);
  ctx.status = 303;
  return true;
}

/** The session that a login address is for. */
function sessionIn(loginAddress: string): string | null {
  return tryUuidOf('sess', new URL(loginAddress).searchParams.get('session_id') ?? '') ?? null;
}

/**
 * `GET /oauth2/hand-over`: only where the login pages have another host. Binds the session of this browser to the cookie
 * that it has there, and sends it back.
 */
export async function handleHandOver(context: ServiceContext, ctx: Koa): Promise<void> {
  const parameters = new URLSearchParams(ctx.querystring);
  const sessionId = parameters.get('session_id') ?? '';
  learn(ctx, { operation: 'authorize.hand_over' });
  await handOverSession(context, sessionId, readBrowserCookie(ctx, context.config), parameters.get('to') ?? '');
  const clientName = parameters.get('client_name') ?? undefined;
  redirectTo(
    ctx,
    withParameters(context.config.loginUrl, { session_id: sessionId, client_name: clientName, handed_over: '1' }),
  );
}
