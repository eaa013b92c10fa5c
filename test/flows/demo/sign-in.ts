import { type AuthServer, memoryTokenStore, openAuthServer, openSession, type Session } from '@fan-api/sdk';
import { CookieJar } from 'tough-cookie';
import type { Kit } from './kit.ts';
import { ask, fail, say, step } from './narrate.ts';

const REDIRECT_URI = 'http://localhost:4000/callback';
const SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write fan:claims:write';

/** The partner's side of OpenID Connect. */
export function openPartner(kit: Kit): AuthServer {
  return openAuthServer({
    issuer: kit.auth_url,
    clientId: kit.client_id,
    redirectUri: kit.redirect_uri ?? REDIRECT_URI,
  });
}

/** Signs a test user in: the partner with the SDK, the fan as the login page does it (tRPC and the browser's cookie). */
export async function signIn(
  authServer: AuthServer,
  kit: Kit,
  fan: { phone: string; code?: string },
): Promise<Session> {
  step(`Signing ${fan.phone} in: authorization request with PKCE, state and nonce`);
  const { url, attempt } = await authServer.startSignIn({ scope: SCOPE });
  const page = await openLoginPage(kit, url);
  await page('phone.sendCode', { phone: fan.phone });
  await page('phone.verifyCode', { code: fan.code ?? (await ask(`The code that ${fan.phone} got by SMS: `)) });
  const offer = await page('consent.options');
  say(`the fan is verified and grants ${offer.actions.join(', ')} for all current and future tickets`);
  const { redirectTo } = await page('consent.grant', {
    actions: offer.actions,
    mode: 'all_current_future',
    ticketIds: [],
  });
  const tokens = await authServer.finishSignIn(new URL(redirectTo), attempt);
  const { mode, grant_id, expires_in } = tokens.response;
  say(`tokens for ${tokens.claims?.sub}: mode ${mode}, grant ${grant_id}, ${expires_in} s`);
  const session = openSession({ authServer, store: memoryTokenStore() });
  await session.begin(tokens);
  return session;
}

/** What the browser does: follows the redirect, keeps the cookie. @returns the calls of the page */
async function openLoginPage(kit: Kit, authorizeUrl: string) {
  const jar = new CookieJar();
  const answer = await fetch(authorizeUrl, { redirect: 'manual' });
  for (const cookie of answer.headers.getSetCookie()) await jar.setCookie(cookie, authorizeUrl);
  const location =
    answer.headers.get('location') ?? fail(`authorize answered ${answer.status}: ${await answer.text()}`);
  const sessionId = new URL(location).searchParams.get('session_id') ?? fail(`no session_id in ${location}`);
  return async (procedure: string, input?: object) => {
    const isQuery = procedure === 'consent.options';
    const url = `${kit.login_url}/trpc/${procedure}`;
    const called = await fetch(url, {
      method: isQuery ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        'x-session-id': sessionId,
        cookie: await jar.getCookieString(url),
      },
      ...(!isQuery && { body: JSON.stringify(input) }),
    });
    const { result, error } = await called.json();
    return error ? fail(`${procedure}: ${error.message}`) : result.data;
  };
}
