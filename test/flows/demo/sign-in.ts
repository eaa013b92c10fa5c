import * as oidc from 'openid-client';
import { CookieJar } from 'tough-cookie';
import type { Kit } from './kit.ts';
import { ask, fail, say, step } from './narrate.ts';

const REDIRECT_URI = 'http://localhost:4000/callback';
const SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write fan:claims:write';

/** The partner's side of OpenID Connect: discovery, nothing else to set up. */
export function discover(kit: Kit): Promise<oidc.Configuration> {
  const execute = kit.auth_url.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(new URL(kit.auth_url), kit.client_id, undefined, oidc.None(), { execute });
}

/** Signs a test user in: the partner with its library, the fan as the login page does it (tRPC and the browser's cookie). */
export async function signIn(client: oidc.Configuration, kit: Kit, fan: { phone: string; code?: string }) {
  step(`Signing ${fan.phone} in: authorization request with PKCE, state and nonce`);
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const authorizeUrl = oidc.buildAuthorizationUrl(client, {
    redirect_uri: kit.redirect_uri ?? REDIRECT_URI,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const page = await openLoginPage(kit, authorizeUrl);
  await page('phone.sendCode', { phone: fan.phone });
  await page('phone.verifyCode', { code: fan.code ?? (await ask(`The code that ${fan.phone} got by SMS: `)) });
  const offer = await page('consent.options');
  say(`the fan is verified and grants ${offer.actions.join(', ')} for all current and future tickets`);
  const { redirectTo } = await page('consent.grant', {
    actions: offer.actions,
    mode: 'all_current_future',
    ticketIds: [],
  });
  const tokens = await oidc.authorizationCodeGrant(client, new URL(redirectTo), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  say(`tokens for ${tokens.claims()?.sub}: mode ${tokens.mode}, grant ${tokens.grant_id}, ${tokens.expires_in} s`);
  return tokens;
}

const SPARE_SECONDS = 10;

/** The access token of a grant, refreshed where it is about to end: people take their time with codes, and clusters with transactions. */
export function keepFresh(client: oidc.Configuration, first: oidc.TokenEndpointResponse): () => Promise<string> {
  let tokens = first;
  const endOf = ({ expires_in = 0 }: oidc.TokenEndpointResponse) => Date.now() + (expires_in - SPARE_SECONDS) * 1000;
  let end = endOf(first);
  return async () => {
    if (Date.now() >= end) {
      tokens = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? fail('There is no refresh token.'));
      end = endOf(tokens);
    }
    return tokens.access_token;
  };
}

/** What the browser does: follows the redirect, keeps the cookie. @returns the calls of the page */
async function openLoginPage(kit: Kit, authorizeUrl: URL) {
  const jar = new CookieJar();
  const answer = await fetch(authorizeUrl, { redirect: 'manual' });
  for (const cookie of answer.headers.getSetCookie()) await jar.setCookie(cookie, authorizeUrl.href);
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
