import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Staff } from '../../../../src/entities/staff.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../../../support/oidc-provider.ts';
import { startApp, type TestApp } from '../../../support/start-app.ts';
import { openStaffBrowser } from './staff-browser.ts';

let provider: TestProvider;
let app: TestApp;
let auth: string;
beforeAll(async () => {
  provider = await startProvider();
  app = await startApp({ env: (port) => provider.register(`http://localhost:${port}/admin`) });
  auth = `${app.config.adminUrl}/auth`;
});
afterAll(async () => {
  await app?.stop();
  await provider?.stop();
});

test.each([
  ['no signature', async (claims: JWTPayload) => new UnsecuredJWT(claims).encode()],
  [
    'our own secret as its key',
    (claims: JWTPayload, kid: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(CLIENT_SECRET)),
  ],
  [
    'a key of somebody else',
    async (claims: JWTPayload, kid: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign((await generateKeyPair('RS256')).privateKey),
  ],
])('OpenID Connect Core §3.1.3.7: an ID token with %s signs nobody in', async (_, forge) => {
  const { issuer = '', clientId } = app.config.staffProvider ?? {};
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as {
    keys: { kid: string; use?: string; alg?: string }[];
  };
  const browser = openStaffBrowser();
  const authorize = (await browser.open(`${auth}/sign-in`)).headers.get('location') ?? '';
  const nonce = new URL(authorize).searchParams.get('nonce');
  const callback = (await browser.follow(authorize, `${auth}/callback`)).url;
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: clientId ?? '', sub: 'mallory', name: 'Mallory', groups: ['boss'], nonce };
  const idToken = await forge({ ...claims, iat: seconds, exp: seconds + 300 }, keys[0]?.kid ?? '');
  provider.outOfOrder = (request, response) => {
    response.setHeader('content-type', 'application/json');
    const answer = request.method === 'GET' ? { keys } : { access_token: 'x', token_type: 'Bearer', id_token: idToken };
    response.end(JSON.stringify(answer));
  };
  const answer = await browser.open(callback);
  provider.outOfOrder = undefined;
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('sent an invalid answer')]);
  expect(await app.context().em.count(Staff, { subject: 'mallory' })).toBe(0);
});
