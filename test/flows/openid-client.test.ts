import * as oidc from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { consent, REDIRECT_URI, type Started, USUAL_SCOPE, verifyPhone } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';

/** An ordinary partner with an unmodified OpenID Connect library, which checks every answer by the standards. */
let client: oidc.Configuration;
const app = await testApp();
beforeAll(async () => {
  client = await oidc.discovery(new URL(app.config.authUrl), app.kit.client_id, undefined, oidc.None(), {
    execute: [oidc.allowInsecureRequests],
  });
  oidc.enableNonRepudiationChecks(client);
});

/** Sends the fan through the login, as far as the redirect back to the partner. */
async function authorize(parameters: Record<string, string> = {}) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: USUAL_SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  const answer = await fetch(url, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? '');
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const started: Started = {
    clientId: app.kit.client_id,
    redirectUri: REDIRECT_URI,
    verifier,
    state,
    nonce,
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    sessionId: location.searchParams.get('session_id') ?? '',
  };
  return { location, checks, started };
}

async function signIn() {
  const { checks, started } = await authorize();
  await verifyPhone(app, started);
  const callback = await consent(app, started);
  return { callback, checks, tokens: await oidc.authorizationCodeGrant(client, callback, { ...checks, maxAge: 600 }) };
}

describe('an unmodified openid-client', () => {
  it('discovers, signs a fan in, asks userinfo, calls the Fan API, refreshes and revokes', async () => {
    const { tokens } = await signIn();
    const subject = tokens.claims()?.sub ?? '';
    expect(subject).toBe(app.kit.test_users[0]?.id);
    expect(tokens).toMatchObject({ mode: 'sandbox', grant_mode: 'all_current_future', scope: USUAL_SCOPE });
    // the library writes token_type in lower case
    expect(tokens.token_type).toBe('bearer');

    const userinfo = await oidc.fetchUserInfo(client, tokens.access_token, subject);
    expect(userinfo).toMatchObject({ sub: subject, grant_id: tokens.grant_id, aud: 'svc-api' });

    const tickets = new URL(`${app.config.apiUrl}/tickets`);
    expect((await oidc.fetchProtectedResource(client, tokens.access_token, tickets, 'GET')).status).toBe(200);

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

  it('narrows the scope when it refreshes', async () => {
    const { tokens } = await signIn();
    const narrow = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '', {
      scope: 'openid fan:tickets:read',
    });
    expect(narrow).toMatchObject({ scope: 'openid fan:tickets:read', granted_actions: ['fan:tickets:read'] });
  });

  it('reads the error of a code that was used already, and the end of its tokens', async () => {
    const { callback, checks, tokens } = await signIn();
    await expect(oidc.authorizationCodeGrant(client, callback, checks)).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: 'code has been used already',
    });
    await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('reads the error of an authorization that was refused', async () => {
    const { location, checks } = await authorize({ prompt: 'none' });
    await expect(oidc.authorizationCodeGrant(client, location, checks)).rejects.toMatchObject({
      error: 'login_required',
      cause: expect.any(URLSearchParams),
    });
  });

  it('reads the message of spec §7 when its verifier does not match', async () => {
    const { checks, started } = await authorize();
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    await expect(oidc.authorizationCodeGrant(client, callback, { ...checks, pkceCodeVerifier })).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: 'Invalid PKCE code_verifier',
    });
  });

  it('refuses nothing of ours that the standards allow: a client that tries a secret first is told to send none', async () => {
    const wrong = new oidc.Configuration(client.serverMetadata(), app.kit.client_id, {}, oidc.ClientSecretBasic('x'));
    oidc.allowInsecureRequests(wrong);
    const { checks, started } = await authorize();
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    await expect(oidc.authorizationCodeGrant(wrong, callback, checks)).rejects.toMatchObject({ status: 401 });
    expect((await oidc.authorizationCodeGrant(client, callback, checks)).access_token).toBeDefined();
  });
});
