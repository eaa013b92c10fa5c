import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyAccessToken } from '../../../src/token/verify-access-token.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();
const url = `${app.origin}/.well-known/cosign-policy`;

describe('D-280: /.well-known/cosign-policy', () => {
  it('publishes the policy with the programs, and the same in a JWT that the JWKS verifies', async () => {
    const answer = await fetch(url, { headers: { origin: 'https://any.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { signed_policy: signed, ...policy } = (await answer.json()) as Record<string, unknown>;
    const keys = createRemoteJWKSet(new URL(`${app.config.authUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(String(signed), keys, {
      issuer: app.config.authUrl,
      typ: 'cosign-policy+jwt',
      algorithms: ['RS256'],
    });
    expect(payload).toEqual(policy);
    expect(protectedHeader.kid).toEqual(expect.any(String));
    expect(policy).toMatchObject(JSON.parse(JSON.stringify(describePolicy())));
    expect(policy).toMatchObject({
      program_ids: { sandbox: LOCAL_PROGRAM_ID, production: null },
      iat: expect.any(Number),
    });
  });

  it('is signed once for many requests, and again after an hour, with the same validator', async () => {
    const first = await fetch(url);
    const second = await fetch(url);
    const policy = (await first.json()) as { signed_policy: string; iat: number };
    expect(await second.json()).toEqual(policy);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const same = await fetch(url, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect({ status: same.status, text: await same.text() }).toEqual({ status: 304, text: '' });
    app.advance(3_601);
    const later = await fetch(url);
    app.resetClock();
    const again = (await later.json()) as { signed_policy: string; iat: number };
    expect(again.iat).toBeGreaterThan(policy.iat);
    expect(later.headers.get('etag')).toBe(etag);
    expect(decodeProtectedHeader(again.signed_policy).typ).toBe('cosign-policy+jwt');
  });

  it('is no access token', async () => {
    const { signed_policy: signed } = (await (await fetch(url)).json()) as { signed_policy: string };
    await expect(verifyAccessToken(app.runtime, signed)).rejects.toMatchObject({ code: 'access_token_invalid' });
  });

  it('takes GET and HEAD only', async () => {
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });
});
