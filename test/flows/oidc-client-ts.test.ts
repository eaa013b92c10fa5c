import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { expect, test } from 'vitest';
import { callFan, consent, REDIRECT_URI, USUAL_SCOPE, verifyPhone } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();

// The library refuses an answer of another type than JSON: the revocation endpoint's empty answer must name no type.
test('an unmodified oidc-client-ts discovers, signs a fan in, refreshes to new tokens, and revokes them', async () => {
  const client = new OidcClient({
    authority: app.config.authUrl,
    client_id: app.kit.client_id,
    redirect_uri: REDIRECT_URI,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const { url } = await client.createSigninRequest({ scope: USUAL_SCOPE });
  const answer = await fetch(url, { redirect: 'manual' });
  const sessionId = new URL(answer.headers.get('location') ?? '').searchParams.get('session_id') ?? '';
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const started = {
    clientId: app.kit.client_id,
    redirectUri: REDIRECT_URI,
    verifier: '',
    state: '',
    nonce: '',
    cookie,
    sessionId,
  };
  await verifyPhone(app, started);
  const tokens = await client.processSigninResponse((await consent(app, started)).href);
  expect(tokens.profile.sub).toBe(app.kit.test_users[0]?.id);

  const state = { refresh_token: tokens.refresh_token ?? '', session_state: null, profile: tokens.profile };
  const refreshed = await client.useRefreshToken({ state });
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

  await client.revokeToken(refreshed.refresh_token ?? '', 'refresh_token');
  expect((await callFan(app, '/tickets', refreshed.access_token)).status).toBe(401);
});
