import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { callFan, consent, openedSession, REDIRECT_URI, USUAL_SCOPE, verifyPhone } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';
import { discover, sendFan } from './openid-partner.ts';

const app = await testApp();
const client = await discover(app.config.authUrl, app.kit.client_id);

async function obtainCode() {
  const { answer, checks } = await sendFan(client);
  const session = openedSession(answer);
  await verifyPhone(app, session);
  return { callback: await consent(app, session), checks };
}

async function signIn() {
  const { callback, checks } = await obtainCode();
  return { callback, checks, tokens: await oidc.authorizationCodeGrant(client, callback, { ...checks, maxAge: 600 }) };
}

describe('an unmodified openid-client', () => {
  it('discovers, signs a fan in, asks userinfo, lists the fan’s tickets, refreshes and revokes', async () => {
    const { tokens } = await signIn();
    const subject = tokens.claims()?.sub ?? '';
    expect(subject).toBe(app.kit.test_users[0]?.id);
    expect(tokens).toMatchObject({ mode: 'sandbox', grant_mode: 'all_current_future', scope: USUAL_SCOPE });
    // the library writes token_type in lower case
    expect(tokens.token_type).toBe('bearer');

    const userinfo = await oidc.fetchUserInfo(client, tokens.access_token, subject);
    expect(userinfo).toMatchObject({ sub: subject, grant_id: tokens.grant_id, aud: 'svc-api' });

    const tickets = new URL(`${app.config.apiUrl}/tickets`);
    const listed = await oidc.fetchProtectedResource(client, tokens.access_token, tickets, 'GET');
    const body = (await listed.json()) as { user_id: string; tickets: object[] };
    expect([listed.status, body.user_id]).toEqual([200, subject]);
    expect(body.tickets).toHaveLength(4);

    const refreshed = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(refreshed.claims()).toMatchObject({ sub: subject, auth_time: tokens.claims()?.auth_time });
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

    await oidc.tokenRevocation(client, refreshed.refresh_token ?? '');
    await expect(oidc.refreshTokenGrant(client, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
    await expect(oidc.fetchUserInfo(client, refreshed.access_token, subject)).rejects.toThrow(
      oidc.WWWAuthenticateChallengeError,
    );
  });

  it('reads the error of an authorization that was refused', async () => {
    const { answer, checks } = await sendFan(client, { prompt: 'none' });
    const location = new URL(answer.headers.get('location') ?? '');
    await expect(oidc.authorizationCodeGrant(client, location, checks)).rejects.toMatchObject({
      error: 'login_required',
      cause: expect.any(URLSearchParams),
    });
  });

  it('reads the message of spec §7 when its verifier does not match', async () => {
    const { callback, checks } = await obtainCode();
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    await expect(oidc.authorizationCodeGrant(client, callback, { ...checks, pkceCodeVerifier })).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: 'Invalid PKCE code_verifier',
    });
  });

  it('refuses nothing of ours that the standards allow: a client that tries a secret first is told to send none', async () => {
    const wrong = new oidc.Configuration(client.serverMetadata(), app.kit.client_id, {}, oidc.ClientSecretBasic('x'));
    oidc.allowInsecureRequests(wrong);
    const { callback, checks } = await obtainCode();
    await expect(oidc.authorizationCodeGrant(wrong, callback, checks)).rejects.toMatchObject({ status: 401 });
    expect((await oidc.authorizationCodeGrant(client, callback, checks)).access_token).toBeDefined();
  });
});

// The library refuses an answer of another type than JSON: the revocation endpoint's empty answer must name no type.
it('an unmodified oidc-client-ts discovers, signs a fan in, refreshes to new tokens, and revokes them', async () => {
  const library = new OidcClient({
    authority: app.config.authUrl,
    client_id: app.kit.client_id,
    redirect_uri: REDIRECT_URI,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const { url } = await library.createSigninRequest({ scope: USUAL_SCOPE });
  const answer = await fetch(url, { redirect: 'manual' });
  const session = openedSession(answer);
  await verifyPhone(app, session);
  const tokens = await library.processSigninResponse((await consent(app, session)).href);
  expect(tokens.profile.sub).toBe(app.kit.test_users[0]?.id);

  const state = { refresh_token: tokens.refresh_token ?? '', session_state: null, profile: tokens.profile };
  const refreshed = await library.useRefreshToken({ state });
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

  await library.revokeToken(refreshed.refresh_token ?? '', 'refresh_token');
  expect((await callFan(app, '/tickets', refreshed.access_token)).status).toBe(401);
});
