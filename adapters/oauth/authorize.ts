import type { Context as Koa } from 'koa';
import { startAuthorization } from '../../src/authorization/start-authorization.ts';
import type { Context } from '../../src/context.ts';
import { DomainError } from '../../src/errors.ts';
import { OAuthError } from '../../src/oauth/oauth-error.ts';
import { withParameters } from '../../src/oauth/redirect-uri.ts';
import { readBrowserCookie, writeBrowserCookie } from '../http/browser-cookie.ts';
import { errorPage } from './error-page.ts';

/** `GET /oauth2/authorize`: on to the hosted login, back to the partner with an error, or a page that says what is wrong. */
export async function handleAuthorize(context: Context, ctx: Koa): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  try {
    // not ctx.URL, which is empty where the Host header is no host
    const parameters = new URLSearchParams(ctx.querystring);
    const started = await startAuthorization(context, parameters, readBrowserCookie(ctx, context.config));
    writeBrowserCookie(ctx, context.config, started.browserSecret);
    redirect(ctx, started.redirectTo);
  } catch (error) {
    if (error instanceof OAuthError && error.redirect !== undefined) {
      const { redirectUri, state } = error.redirect;
      redirect(ctx, withParameters(redirectUri, { error: error.error, error_description: error.message, state }));
    } else if (error instanceof DomainError && error.code === 'invalid_request') {
      ctx.status = 400;
      ctx.type = 'html';
      ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
      ctx.set('Referrer-Policy', 'no-referrer');
      ctx.body = errorPage(error.message, context.requestId ?? '');
    } else {
      throw error;
    }
  }
}

/** Koa's own redirect re-encodes the address; a redirect URI must stay as it was registered. */
function redirect(ctx: Koa, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.body = '';
}
