import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeClient } from '../../support/make-client.ts';
import { authorize, codeForm, obtainCode, postForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

let tokens: Tokens;
let metadata: Record<string, unknown>;
const app = await testApp();
beforeAll(async () => {
  tokens = await signIn(app);
  metadata = (await (await fetch(`${app.config.authUrl}/.well-known/openid-configuration`)).json()) as typeof metadata;
});

/** Exactly the members of an RSA verification key: a private member (d, p, q, dp, dq, qi) fails. */
const PublicJwk = z.strictObject({
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
  kid: z.string().length(43),
  n: z.string().length(342),
  e: z.literal('AQAB'),
});

describe('spec §5.2: discovery', () => {
  it('has the values of the table, under the issuer', () => {
    const { authUrl } = app.config;
    expect(metadata).toMatchObject({
      issuer: authUrl,
      authorization_endpoint: `${authUrl}/oauth2/authorize`,
      token_endpoint: `${authUrl}/oauth2/token`,
      userinfo_endpoint: `${authUrl}/oauth2/userinfo`,
      jwks_uri: `${authUrl}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('RFC 8414 §3: is served for OAuth clients too', async () => {
    const answer = await fetch(`${app.config.authUrl}/.well-known/oauth-authorization-server`);
    expect([answer.status, await answer.json()]).toEqual([200, metadata]);
  });

  it('has what OIDC Discovery §3 requires besides', () => {
    expect(metadata.subject_types_supported).toEqual(['public']);
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['RS256']);
  });

  it('D-038 request, request_uri: says that they and claims are not supported', () => {
    expect(metadata.request_parameter_supported).toBe(false);
    expect(metadata.request_uri_parameter_supported).toBe(false);
    expect(metadata.claims_parameter_supported).toBe(false);
  });

  it('OIDC Discovery §3: the languages of the hosted pages are those that they have', () => {
    expect(metadata.ui_locales_supported).toEqual(['en', 'de', 'es', 'fr', 'ja', 'pt']);
  });

  it('the issuer has no trailing slash, as the iss of every token', () => {
    expect(metadata.issuer).not.toMatch(/\/$/);
    for (const token of [tokens.access_token, tokens.id_token]) {
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(payload.iss).toBe(metadata.issuer);
    }
  });
});

describe('D-045 extra endpoints: discovery lists exactly what works', () => {
  it('every endpoint listed answers its method', async () => {
    const form = new URLSearchParams({ token: 'unknown', client_id: app.kit.client_id });
    const calls: Record<string, [RequestInit, number]> = {
      authorization_endpoint: [{ redirect: 'manual' }, 400],
      token_endpoint: [{ method: 'POST', body: form }, 400],
      userinfo_endpoint: [{}, 401],
      jwks_uri: [{}, 200],
      revocation_endpoint: [{ method: 'POST', body: form }, 200],
    };
    const listed = Object.keys(metadata).filter((key) => key.endsWith('_endpoint') || key === 'jwks_uri');
    expect(listed.sort()).toEqual(Object.keys(calls).sort());
    for (const [key, [init, status]] of Object.entries(calls)) {
      expect((await fetch(String(metadata[key]), init)).status, key).toBe(status);
    }
  });

  it('every scope listed can be asked for', async () => {
    expect(metadata.scopes_supported).toHaveLength(16);
    const clientId = await makeClient(app, { scopes: metadata.scopes_supported as string[] });
    for (const scope of metadata.scopes_supported as string[]) {
      expect((await authorize(app, { clientId, scope })).sessionId, scope).toMatch(/^sess_/);
    }
  });

  it('every claim listed is in an ID token, and no other', () => {
    const payload = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString());
    expect((metadata.claims_supported as string[]).sort()).toEqual(Object.keys(payload).sort());
  });

  it('every grant type listed is answered, no other', async () => {
    const { body } = await postForm(app, '/oauth2/token', codeForm(await obtainCode(app)));
    expect(body.access_token).toEqual(expect.any(String));
    for (const type of ['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']) {
      const refused = await postForm(app, '/oauth2/token', { grant_type: type, client_id: app.kit.client_id });
      expect([refused.status, refused.body.error]).toEqual([400, 'unsupported_grant_type']);
    }
  });
});

describe('spec §5.1: JWKS', () => {
  it('has public members only', async () => {
    const document = await (await fetch(String(metadata.jwks_uri))).json();
    expect(z.strictObject({ keys: z.array(PublicJwk).min(1) }).parse(document).keys).toHaveLength(1);
  });

  it('verifies access tokens and ID tokens', async () => {
    const document = (await (await fetch(String(metadata.jwks_uri))).json()) as JSONWebKeySet;
    const keys = createLocalJWKSet(document);
    const access = await jwtVerify(tokens.access_token, keys, { algorithms: ['RS256'], audience: 'svc-api' });
    const id = await jwtVerify(tokens.id_token, keys, { algorithms: ['RS256'], audience: app.kit.client_id });
    expect(access.payload.sub).toBe(id.payload.sub);
  });

  it('D-044 keys: may be cached for five minutes, the discovery document too', async () => {
    for (const name of ['jwks.json', 'openid-configuration', 'oauth-authorization-server']) {
      const path = `/.well-known/${name}`;
      const { headers } = await fetch(`${app.config.authUrl}${path}`);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });
});
