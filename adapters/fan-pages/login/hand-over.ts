/**
 * Hands a session over to the host of the login pages, where that is not the issuer's (`start-authorization.ts`).
 *
 * @module
 */

import type { Context as Koa } from 'koa';
import { withParameters } from '../../../src/partners/redirect-uri.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { hashOf, newBrowserSecret } from '../../../src/platform/identifier/secret-value.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { findSession } from '../../../src/sign-in/authorization/find-session.ts';
import { hasSeparateLoginHost, readBrowserCookie, writeBrowserCookie } from '../../http/browser-cookie.ts';
import { redirectTo } from '../../http/redirect.ts';

/** Whether the session in the link is not bound to this browser yet; false once the issuer's host was asked. */
export async function needsHandOver(runtime: Runtime, ctx: Koa): Promise<boolean> {
  const parameters = new URLSearchParams(ctx.querystring);
  const sessionId = parameters.get('session_id');
  if (!hasSeparateLoginHost(runtime.config) || !sessionId || parameters.has('handed_over')) return false;
  const secret = readBrowserCookie(ctx, runtime.config);
  return findSession(createContext(runtime, null), secret, sessionId).then(
    () => false,
    (error: unknown) => error instanceof DomainError && error.code === 'session_elsewhere',
  );
}

/** Sets a cookie for this host and redirects to the issuer's host, which checks that the browser started the session. */
export function askForHandOver(config: Pick<Config, 'authUrl' | 'loginUrl'>, ctx: Koa): void {
  const parameters = new URLSearchParams(ctx.querystring);
  const secret = readBrowserCookie(ctx, config) ?? newBrowserSecret();
  writeBrowserCookie(ctx, config, secret);
  redirectTo(
    ctx,
    withParameters(`${config.authUrl}/oauth2/hand-over`, {
      session_id: parameters.get('session_id') ?? '',
      client_name: parameters.get('client_name') ?? undefined,
      to: hashOf(secret),
    }),
  );
}
