import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { CookieJar } from 'tough-cookie';

/**
 * `npm run demo`: a partner of its own, with an ordinary OpenID Connect library and no code of this project, signs the
 * starter kit's test user in against a running server and lists the tickets. The fan's part is played as the login page
 * plays it: over tRPC, with the browser's cookie.
 */
const dataDir = process.env.DATA_DIR ?? '.data';
const kit = JSON.parse(
  await readFile(join(dataDir, 'starter-kit.json'), 'utf8').catch(() =>
    fail(`no ${dataDir}/starter-kit.json: start the server first (npm start)`),
  ),
);
const [fan] = kit.test_users;
const redirectUri = 'http://localhost:4000/callback';
const scope = 'openid profile offline_access fan:tickets:read fan:listings:write';

step(`Discovering ${kit.auth_url}`);
const client = await oidc.discovery(new URL(kit.auth_url), kit.client_id, undefined, oidc.None(), {
  execute: kit.auth_url.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
});

step('Sending the fan to the authorization endpoint (PKCE, state, nonce)');
const verifier = oidc.randomPKCECodeVerifier();
const state = oidc.randomState();
const nonce = oidc.randomNonce();
const authorizeUrl = oidc.buildAuthorizationUrl(client, {
  redirect_uri: redirectUri,
  scope,
  state,
  nonce,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
});
const jar = new CookieJar();
const authorize = await fetch(authorizeUrl, { redirect: 'manual' });
for (const cookie of authorize.headers.getSetCookie()) await jar.setCookie(cookie, authorizeUrl.href);
const loginUrl = new URL(
  authorize.headers.get('location') ?? fail(`authorize answered ${authorize.status}: ${await authorize.text()}`),
);
const sessionId = loginUrl.searchParams.get('session_id') ?? fail(`no session_id in ${loginUrl}`);
say(`the login page opens for "${loginUrl.searchParams.get('client_name')}"`);

step(`The fan types ${fan.phone} and the code ${fan.code}`);
await login('phone.sendCode', { phone: fan.phone });
await login('phone.verifyCode', { code: fan.code });

step('The fan consents: every action asked for, all current and future tickets');
const offer = await login('consent.options');
say(`actions ${offer.actions.join(', ')}; ${offer.tickets.length} tickets`);
const { redirectTo } = await login('consent.grant', {
  actions: offer.actions,
  mode: 'all_current_future',
  ticketIds: [],
});

step('Exchanging the code for tokens');
const tokens = await oidc.authorizationCodeGrant(client, new URL(redirectTo), {
  pkceCodeVerifier: verifier,
  expectedState: state,
  expectedNonce: nonce,
});
say(`user ${tokens.claims()?.sub}, mode ${tokens.mode}, grant ${tokens.grant_id}, expires in ${tokens.expires_in} s`);

step('Asking userinfo');
const userinfo = await oidc.fetchUserInfo(client, tokens.access_token, tokens.claims()?.sub ?? '');
say(`granted actions ${String(userinfo.granted_actions)}`);

step('Refreshing');
const refreshed = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? fail('no refresh token'));
say(`a new access token and a new refresh token, ${refreshed.refresh_token_expires_in} s left`);

step(`Listing the tickets: GET ${kit.api_url}/tickets`);
const response = await fetch(`${kit.api_url}/tickets`, {
  headers: { authorization: `Bearer ${refreshed.access_token}` },
});
if (!response.ok) fail(`the Fan API answered ${response.status}: ${await response.text()}`);
const { user_id, tickets } = await response.json();
say(`${tickets.length} tickets of ${user_id}`);
for (const ticket of tickets) say(`${ticket.id}  ${ticket.event_name} · ${ticket.ticket_type_name}`);

/** One call of the login page. */
async function login(procedure: string, input?: object) {
  const isQuery = procedure === 'consent.options';
  const url = `${kit.login_url}/trpc/${procedure}`;
  const answer = await fetch(url, {
    method: isQuery ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': sessionId, cookie: await jar.getCookieString(url) },
    ...(!isQuery && { body: JSON.stringify(input ?? {}) }),
  });
  const { result, error } = await answer.json();
  return error ? fail(`${procedure}: ${error.message}`) : result.data;
}

function step(text: string): void {
  process.stdout.write(`\n> ${text}\n`);
}

function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
