import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ChainCluster } from '../../../../src/entities/chain.ts';
import { verifyAccessToken } from '../../../../src/oauth/token/verify-access-token.ts';
import { testApp } from '../../../support/test-app.ts';

const PROGRAM = 'So11111111111111111111111111111111111111112';
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const RPC_URL = 'https://rpc.example/secret-key';
const app = await testApp({ env: { PRODUCTION_RPC_URL: RPC_URL, PRODUCTION_PROGRAM_ID: PROGRAM } });
const plain = await testApp();

async function get(path: string, origin = app.origin) {
  const answer = await fetch(origin + path, { headers: { origin: 'https://any.example' } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers };
}

describe('partners learn the cluster and the program of their mode', () => {
  it('the IDL has the address of the mode; without one it is the sandbox’s, as before', async () => {
    expect((await get('/idl.json')).body.address).toBe(LOCAL_PROGRAM_ID);
    expect((await get('/idl.json?mode=sandbox')).body).toEqual((await get('/idl.json')).body);
    const production = await get('/idl.json?mode=production');
    expect(production.body.address).toBe(PROGRAM);
    expect(production.headers.get('access-control-allow-origin')).toBe('*');
    expect(production.body.instructions).toEqual((await get('/idl.json')).body.instructions);
  });

  it('another mode is refused, and one without a program is not found', async () => {
    expect(await get('/idl.json?mode=test')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('mode') },
    });
    expect(await get('/idl.json?mode=sandbox&mode=production')).toMatchObject({ status: 400 });
    expect(await get('/idl.json?mode=production', plain.origin)).toMatchObject({ status: 404 });
  });

  it('the clusters name program, genesis hash and IDL; production’s RPC URL is never shown', async () => {
    expect((await get('/clusters.json')).body.production).toMatchObject({ genesis_hash: null });
    const { em } = app.context();
    em.create(ChainCluster, { mode: 'production', genesisHash: GENESIS, lastSignature: null, lastSlot: null });
    await em.flush();
    const { body } = await get('/clusters.json');
    expect(body.production).toEqual({
      program_id: PROGRAM,
      genesis_hash: GENESIS,
      rpc_url: null,
      idl: `${app.origin}/idl.json?mode=production`,
    });
    expect(JSON.stringify(body)).not.toContain('secret-key');
    expect(body.sandbox).toMatchObject({ program_id: LOCAL_PROGRAM_ID });
    expect((await get('/clusters.json', plain.origin)).body.production).toEqual({
      program_id: null,
      genesis_hash: null,
      rpc_url: null,
      idl: null,
    });
  });
});

const url = `${plain.origin}/.well-known/cosign-policy`;

describe('D-280: /.well-known/cosign-policy', () => {
  it('publishes the policy with the programs, and the same in a JWT that the JWKS verifies', async () => {
    const answer = await fetch(url, { headers: { origin: 'https://any.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { signed_policy: signed, ...policy } = (await answer.json()) as Record<string, unknown>;
    const keys = createRemoteJWKSet(new URL(`${plain.config.authUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(String(signed), keys, {
      issuer: plain.config.authUrl,
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
    plain.advance(3_601);
    const later = await fetch(url);
    plain.resetClock();
    const again = (await later.json()) as { signed_policy: string; iat: number };
    expect(again.iat).toBeGreaterThan(policy.iat);
    expect(later.headers.get('etag')).toBe(etag);
    expect(decodeProtectedHeader(again.signed_policy).typ).toBe('cosign-policy+jwt');
  });

  it('is no access token', async () => {
    const { signed_policy: signed } = (await (await fetch(url)).json()) as { signed_policy: string };
    await expect(verifyAccessToken(plain.runtime, signed)).rejects.toMatchObject({ code: 'access_token_invalid' });
  });

  it('takes GET and HEAD only', async () => {
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });
});
