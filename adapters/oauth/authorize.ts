import type { Context as Koa } from 'koa';
import { handOverSession } from '../../src/authorization/hand-over-session.ts';
import { startAuthorization } from '../../src/authorization/start-authorization.ts';
import { DomainError } from '../../src/errors.ts';
import { tryUuidOf } from '../../src/identifier/type-id.ts';
import { OAuthError } from '../../src/oauth/oauth-error.ts';
import { withParameters } from '../../src/oauth/redirect-uri.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { readBrowserCookie, writeBrowserCookie } from '../http/browser-cookie.ts';
import { isDependencyDown, RETRY_AFTER_SECONDS } from '../http/dependency.ts';
import { showPage } from '../http/plain-page.ts';
import { learn } from '../http/record-requests.ts';
import { redirectTo } from '../http/redirect.ts';
import { unavailablePage, unusableLinkPage } from './error-page.ts';

/** `GET /oauth2/authorize`: on to the hosted login, back to the partner with an error, or a page that says what is wrong. */
export async function handleAuthorize(context: ServiceContext, ctx: Koa): Promise<void> {
  // not ctx.URL, which is empty where the Host header is no host
  const parameters = new URLSearchParams(ctx.querystring);
  learn(ctx, { operation: 'authorize.start', client: tryUuidOf('client', parameters.get('client_id') ?? '') ?? null });
  try {
    const started = await startAuthorization(context, parameters, readBrowserCookie(ctx, context.config));
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
