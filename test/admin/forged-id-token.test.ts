import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Staff } from '../../src/entities/staff.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
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

function hmac(signed: string): string {
  return createHmac('sha256', CLIENT_SECRET).update(signed).digest('base64url');
}

async function signByStranger(signed: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return createSign('sha256').update(signed).sign(privateKey, 'base64url');
}

test.each([
  ['no signature', { alg: 'none' }, async () => ''],
  ['our own secret as its key', { alg: 'HS256' }, async (signed: string) => hmac(signed)],
  ['a key of somebody else', { alg: 'RS256' }, (signed: string) => signByStranger(signed)],
])('OpenID Connect Core §3.1.3.7: an ID token with %s signs nobody in', async (_, header, sign) => {
  const { issuer = '', clientId } = app.config.staffProvider ?? {};
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as {
    keys: { kid: string; use?: string; alg?: string }[];
  };
  const browser = openStaffBrowser();
  const authorize = (await browser.open(`${auth}/sign-in`)).headers.get('location') ?? '';
  const nonce = new URL(authorize).searchParams.get('nonce');
  const callback = (await browser.follow(authorize, `${auth}/callback`)).url;
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: clientId, sub: 'mallory', name: 'Mallory', groups: ['boss'], nonce };
  const payload = { ...claims, iat: seconds, exp: seconds + 300 };
  const signed = [{ ...header, kid: keys[0]?.kid }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const idToken = `${signed}.${await sign(signed)}`;
  provider.outOfOrder = (request, response) => {
    response.setHeader('content-type', 'application/json');
    const answer = request.method === 'GET' ? { keys } : { access_token: 'x', token_type: 'Bearer', id_token: idToken };
    response.end(JSON.stringify(answer));
  };
  const answer = await browser.open(callback);
  provider.outOfOrder = undefined;
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('does not hold')]);
  expect(await app.context().em.count(Staff, { subject: 'mallory' })).toBe(0);
});
