import { ReadableStream } from 'node:stream/web';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  base64,
  postText,
  type RpcAnswer,
  rpc,
  startTestNetwork,
  type TestNetwork,
  transferBytes,
} from './test-network.ts';

describe('JSON-RPC endpoint of the local network', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await startTestNetwork();
  });
  afterAll(() => network.remove());

  const post = async (body: string) => (await postText(network.url, body)).json();

  test.each(['{', '', 'nonsense', '{"jsonrpc":"2.0",'])('text that is not JSON: -32700 (%j)', async (body) => {
    expect(await post(body)).toMatchObject({ error: { code: -32700 }, id: null });
  });

  test.each(['1', '"getSlot"', 'null', '[1]', '{"id":{},"method":"getSlot"}', '{"id":1.5,"method":"getSlot"}'])(
    'JSON that is no call is answered as a cluster does, with -32700 (%s)',
    async (body) => {
      expect(await post(body)).toEqual({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null });
    },
  );

  test.each([
    ['{}', null],
    ['{"id":1,"method":5}', 1],
    ['{"id":1,"method":"getSlot"}', 1],
    ['{"jsonrpc":"1.0","id":1,"method":"getSlot"}', 1],
    ['{"jsonrpc":"2.0","id":1,"method":"getSlot","more":1}', 1],
    ['{"jsonrpc":"2.0","id":1,"method":"getSlot","params":5}', 1],
    ['{"jsonrpc":"2.0","id":"a","method":"getSlot","params":"x"}', 'a'],
  ])('a call that is no JSON-RPC 2.0: -32600 with its id (%s)', async (body, id) => {
    expect(await post(body)).toMatchObject({ error: { code: -32600 }, id });
  });

  test('an empty batch gets an empty answer, as on a cluster', async () => {
    const answer = await postText(network.url, '[]');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test.each(['getStakeActivation', 'constructor', '__proto__', 'toString'])(
    'an unknown method: -32601 (%s)',
    async (method) => {
      expect((await rpc(network.url, method)).error?.code).toBe(-32601);
    },
  );

  test('a commitment that does not exist is taken as finalized, as on a cluster', async () => {
    const { result } = await rpc(network.url, 'getBalance', [
      String(Keypair.generate().publicKey),
      { commitment: 'soon' },
    ]);
    expect(result).toMatchObject({ value: 0 });
  });

  test.each([
    ['getBalance', []],
    ['getBalance', ['not-an-address']],
    ['getBalance', ['1111111111111111111111111111111']],
    ['getBalance', [5]],
    ['sendTransaction', ['AA==', { preflightCommitment: 'soon' }]],
    ['getTransaction', ['1'.repeat(64), { commitment: 'processed' }]],
    ['getSlotLeaders', [1, 5001]],
    ['getTokenAccountsByOwner', ['11111111111111111111111111111111', {}]],
    ['getRecentPrioritizationFees', [Array(129).fill('11111111111111111111111111111111')]],
    ['getBalance', { address: '11111111111111111111111111111111' }],
    ['getSlot', [{}, 'one too many']],
    ['getAccountInfo', ['11111111111111111111111111111111', { encoding: 'zstd' }]],
    ['getMultipleAccounts', [Array(101).fill('11111111111111111111111111111111')]],
    ['getProgramAccounts', ['11111111111111111111111111111111', { filters: [{ memcmp: { offset: -1, bytes: '1' } }] }]],
    [
      'getProgramAccounts',
      ['11111111111111111111111111111111', { filters: [{ memcmp: { offset: 0, bytes: '0OIl' } }] }],
    ],
    ['getSignatureStatuses', [['short']]],
    ['getSignaturesForAddress', ['11111111111111111111111111111111', { limit: 1001 }]],
    ['getMinimumBalanceForRentExemption', [-1]],
    ['getFeeForMessage', ['*']],
    ['sendTransaction', ['0OIl']],
    ['sendTransaction', ['AQ', { encoding: 'base64' }]],
    ['sendTransaction', ['AA==', { encoding: 'base64' }]],
    ['sendTransaction', ['1'.repeat(5000)]],
    ['simulateTransaction', ['', { encoding: 'base64' }]],
    ['simulateTransaction', ['AA==', { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true }]],
    ['requestAirdrop', ['11111111111111111111111111111111', 0.5]],
  ])('wrong parameters: -32602 (%s %j)', async (method, params) => {
    const { error } = await rpc(network.url, method, params as unknown[]);
    expect(error?.code).toBe(-32602);
    expect(error?.message.length).toBeGreaterThan(10);
  });

  test('a batch is answered in its order, each with its own id, its notifications with nothing', async () => {
    const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });
    const batch = [
      request('a', 'getHealth'),
      { jsonrpc: '2.0', method: 'getSlot' },
      { jsonrpc: '2.0', id: 3 },
      request(2, 'nope'),
      request(null, 'getHealth'),
    ];
    const answers = (await post(JSON.stringify(batch))) as RpcAnswer[];
    expect(answers.map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
      ['a', 'ok'],
      [3, -32600],
      [2, -32601],
      [null, 'ok'],
    ]);
  });

  test('a notification alone is answered with an empty body', async () => {
    const answer = await postText(network.url, '{"jsonrpc":"2.0","method":"getSlot"}');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test('a context slot ahead of the chain is refused with -32016 and the slot that is reached', async () => {
    const address = '11111111111111111111111111111111';
    const config = { minContextSlot: 1_000_000 };
    for (const [method, params] of [
      ['getSlot', []],
      ['getBlockHeight', []],
      ['getEpochInfo', []],
      ['getLatestBlockhash', []],
      ['getBalance', [address]],
      ['getAccountInfo', [address]],
      ['getMultipleAccounts', [[address]]],
      ['getProgramAccounts', [address]],
      ['getSignaturesForAddress', [address]],
      ['isBlockhashValid', [address]],
      ['getSlotLeader', []],
      ['getTokenAccountsByOwner', [address, { programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }]],
    ] as const) {
      const { error } = await rpc(network.url, method, [...params, config]);
      expect({ method, ...error }).toMatchObject({ method, code: -32016, data: { contextSlot: expect.any(Number) } });
    }
  });

  test('slots follow the wall clock, about 400 ms each', async () => {
    const { connection } = network;
    const start = Date.now();
    const first = await connection.getSlot();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const passed = (await connection.getSlot()) - first;
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual((Date.now() - start) / 400 + 1);
  });

  test('browsers of any origin may call', async () => {
    const headers = {
      origin: 'https://partner.example',
      'access-control-request-headers': 'content-type,solana-client',
    };
    const preflight = await fetch(network.url, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
    expect((await postText(network.url, '{')).headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a body over a mebibyte is refused with 413, other methods than POST with 405, /health says ok', async () => {
    expect((await postText(network.url, `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
    const chunks = ReadableStream.from(Array.from({ length: 17 }, () => Buffer.alloc(64 * 1024, ' ')));
    const unannounced = { method: 'POST', body: chunks, duplex: 'half' } as unknown as RequestInit;
    expect((await fetch(network.url, unannounced)).status).toBe(413);
    expect((await fetch(network.url)).status).toBe(405);
    expect(await (await fetch(`${network.url}/health`)).text()).toBe('ok');
  });

  test('transaction bytes that are cut, padded or twisted anywhere are refused, and the network lives on', async () => {
    const payer = await network.funded();
    const { blockhash } = await network.connection.getLatestBlockhash();
    const bytes = transferBytes(payer, Keypair.generate().publicKey, 1_000_000, blockhash);
    const send = (twisted: Uint8Array) =>
      rpc(network.url, 'sendTransaction', [base64(twisted), { encoding: 'base64' }]);
    for (let length = 0; length < bytes.length; length += 7) {
      expect((await send(bytes.subarray(0, length))).error?.code).toBe(-32602);
    }
    expect((await send(Buffer.concat([bytes, Uint8Array.of(0)]))).error?.code).toBe(-32602);
    expect((await send(new Uint8Array(1233))).error?.message).toContain('1233 bytes');
    for (let place = 0; place < bytes.length; place++) {
      const twisted = Uint8Array.from(bytes);
      twisted[place] = (twisted[place] ?? 0) ^ 0x81;
      expect((await send(twisted)).error).toBeDefined();
    }
    expect((await send(bytes)).result).toEqual(expect.any(String));
  });
});
