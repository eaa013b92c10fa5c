import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { describe, expect, it } from 'vitest';
import { ChainCluster } from '../../../src/entities/chain.ts';
import { testApp } from '../../support/test-app.ts';

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
