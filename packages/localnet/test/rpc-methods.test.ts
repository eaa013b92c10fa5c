import { ReadableStream } from 'node:stream/web';
import { zstdDecompressSync } from 'node:zlib';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage } from './hosted-network.ts';
import { postText, type RpcAnswer } from './test-network.ts';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

const { network, connection, newest, call, send, simulate, test } = await networkStage();

describe('JSON-RPC endpoint of the local network', () => {
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

  test.each(['getStakeActivation', 'getBlock', 'getTokenSupply', 'getVersion', 'constructor', '__proto__', 'toString'])(
    'an unknown method: -32601 (%s)',
    async (method) => {
      expect((await call(method)).error?.code).toBe(-32601);
    },
  );

  test('a commitment that does not exist is taken as finalized, as on a cluster', async () => {
    const { result } = await call('getBalance', [String(Keypair.generate().publicKey), { commitment: 'soon' }]);
    expect(result).toMatchObject({ value: 0 });
  });

  test.each([
    ['getBalance', []],
    ['getBalance', ['not-an-address']],
    ['getBalance', ['1111111111111111111111111111111']],
    ['getBalance', [5]],
    ['sendTransaction', ['AA==', { preflightCommitment: 'soon' }]],
    ['getTransaction', ['1'.repeat(64), { commitment: 'processed' }]],
    ['getRecentPrioritizationFees', [Array(129).fill('11111111111111111111111111111111')]],
    ['getBalance', { address: '11111111111111111111111111111111' }],
    ['getSlot', [{}, 'one too many']],
    ['getAccountInfo', ['11111111111111111111111111111111', { encoding: 'zstd' }]],
    ['getMultipleAccounts', [Array(101).fill('11111111111111111111111111111111')]],
    ['getProgramAccounts', ['11111111111111111111111111111111', { filters: Array(5).fill({ dataSize: 1 }) }]],
    [
      'getProgramAccounts',
      ['11111111111111111111111111111111', { filters: [{ memcmp: { offset: 0, bytes: '0OIl' } }] }],
    ],
    ['getSignatureStatuses', [['short']]],
    ['getSignaturesForAddress', ['11111111111111111111111111111111', { limit: 1001 }]],
    ['getMinimumBalanceForRentExemption', [-1]],
    ['sendTransaction', ['0OIl']],
    ['sendTransaction', ['AQ', { encoding: 'base64' }]],
    ['sendTransaction', ['AA==', { encoding: 'base64' }]],
    ['sendTransaction', ['1'.repeat(5000)]],
    ['simulateTransaction', ['', { encoding: 'base64' }]],
    ['simulateTransaction', ['AA==', { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true }]],
    ['requestAirdrop', ['11111111111111111111111111111111', 0.5]],
    ['getBalance', [Array(300).fill('11111111111111111111111111111111')]],
    ['getBalance', [JSON.parse('{"__proto__":5}')]],
    ['getSlot', [{ minContextSlot: -1 }]],
    ['getSlot', [{ minContextSlot: 2 ** 64 }]],
    ['getAccountInfo', ['11111111111111111111111111111111', { dataSlice: { offset: 1.5, length: 1 } }]],
    ['getMinimumBalanceForRentExemption', [1e308]],
    ['sendTransaction', ['\ud800', { encoding: 'base64' }]],
    ['simulateTransaction', ['AA==', { encoding: 'base64', accounts: { addresses: [] } }]],
  ])('wrong parameters: -32602 (%s %j)', async (method, params) => {
    const { error } = await call(method, params as unknown[]);
    expect(error?.code).toBe(-32602);
    expect(error?.message.length).toBeGreaterThan(10);
  });

  test('a batch is answered in its order, each with its own id, its notifications with nothing', async () => {
    const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });
    const batch = [
      request('a', 'getGenesisHash'),
      { jsonrpc: '2.0', method: 'getSlot' },
      { jsonrpc: '2.0', id: 3 },
      request(2, 'nope'),
      request(null, 'getGenesisHash'),
    ];
    const answers = (await post(JSON.stringify(batch))) as RpcAnswer[];
    expect(answers.map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
      ['a', expect.any(String)],
      [3, -32600],
      [2, -32601],
      [null, expect.any(String)],
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
    ] as const) {
      const { error } = await call(method, [...params, config]);
      expect({ method, ...error }).toMatchObject({ method, code: -32016, data: { contextSlot: expect.any(Number) } });
    }
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

  test('transaction bytes that are cut, padded or twisted anywhere are refused, and the network lives on', async ({
    bytes,
  }) => {
    for (let length = 0; length < bytes.length; length += 7) {
      expect((await send(bytes.subarray(0, length))).error?.code).toBe(-32602);
    }
    expect((await send(Buffer.concat([bytes, Uint8Array.of(0)]))).error?.code).toBe(-32602);
    expect((await send(new Uint8Array(1233))).error?.message).toContain('1233 bytes');
    for (let place = 0; place < bytes.length; place++) {
      const twisted = Uint8Array.from(bytes);
      twisted[place] = (twisted[place] ?? 0) ^ 0x81;
      expect((await send(twisted)).error).toBeDefined();
      await send(twisted, { skipPreflight: true });
      await simulate(twisted, { replaceRecentBlockhash: true });
    }
    expect((await send(bytes)).result).toEqual(expect.any(String));
  });
});

describe('accounts on the local network', async () => {
  const payer = await network.funded();
  const owner = Keypair.generate().publicKey;
  const small = [await createAccount(40), await createAccount(40), await createAccount(40)];
  const large = await createAccount(200);

  async function createAccount(space: number): Promise<Keypair> {
    const account = Keypair.generate();
    const lamports = await connection.getMinimumBalanceForRentExemption(space);
    const newAccountPubkey = account.publicKey;
    const fromPubkey = payer.publicKey;
    const create = SystemProgram.createAccount({ fromPubkey, newAccountPubkey, lamports, space, programId: owner });
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [payer, account]);
    return account;
  }

  test('getMultipleAccounts keeps the order and says null for what is not there', async () => {
    const nobody = Keypair.generate().publicKey;
    const infos = await connection.getMultipleAccountsInfo([large.publicKey, nobody, payer.publicKey]);
    expect(infos.map((info) => info?.data.length)).toEqual([200, undefined, 0]);
    expect(infos[0]?.owner.equals(owner)).toBe(true);
  });

  test('getProgramAccounts lists those that pass every filter, in part where a slice is asked for', async () => {
    const list = async (config: object) =>
      (await call('getProgramAccounts', [String(owner), { encoding: 'base64', commitment: 'processed', ...config }]))
        .result as {
        pubkey: string;
        account: { data: [string, string]; space: number };
      }[];
    const addresses = [large, ...small].map(({ publicKey }) => String(publicKey)).sort();
    expect((await list({})).map(({ pubkey }) => pubkey).sort()).toEqual(addresses);
    expect((await list({ filters: [{ dataSize: 200 }] })).map(({ pubkey }) => pubkey)).toEqual([
      String(large.publicKey),
    ]);
    const zeros = { memcmp: { offset: 150, bytes: '1'.repeat(20) } };
    expect((await list({ filters: [zeros] })).map(({ pubkey }) => pubkey)).toEqual([String(large.publicKey)]);
    for (const memcmp of [
      { offset: 0, bytes: Buffer.from([1]).toString('base64'), encoding: 'base64' },
      { offset: 0, bytes: [1] },
      { offset: 200, bytes: '11' },
    ]) {
      expect(await list({ filters: [{ memcmp }] })).toEqual([]);
    }
    expect(await list({ filters: [zeros, { dataSize: 40 }] })).toEqual([]);
    const [slice] = await list({ filters: [{ dataSize: 200 }], dataSlice: { offset: 198, length: 10 } });
    expect(slice?.account).toMatchObject({ data: ['AAA=', 'base64'], space: 200 });
    expect(await list({ withContext: true })).toMatchObject({
      context: { slot: expect.any(Number) },
      value: expect.any(Array),
    });
    expect((await call('getProgramAccounts', [String(payer.publicKey)])).result).toEqual([]);
  });

  test('an account is sent in the encoding asked for, and in part where a slice is asked for', async () => {
    const info = async (options: object | undefined, address = small[0]?.publicKey) => {
      const params = options ? [String(address), options] : [String(address)];
      const { result } = await call('getAccountInfo', params);
      return (result as { value: { data: unknown; space: number } }).value;
    };
    expect((await info({ encoding: 'base64' })).data).toEqual([Buffer.alloc(40).toString('base64'), 'base64']);
    expect((await info({ encoding: 'jsonParsed' })).data).toEqual([Buffer.alloc(40).toString('base64'), 'base64']);
    const [compressed] = (await info({ encoding: 'base64+zstd' })).data as [string];
    expect(zstdDecompressSync(Buffer.from(compressed, 'base64'))).toEqual(Buffer.alloc(40));
    expect((await info({ encoding: 'base58' })).data).toEqual(['1'.repeat(40), 'base58']);
    expect((await info(undefined)).data).toBe('1'.repeat(40));
    const slice = await info({ encoding: 'base58', dataSlice: { offset: 38, length: 10 } });
    expect(slice).toMatchObject({ data: ['11', 'base58'], space: 40 });
  });

  test('base58 of more than 128 bytes is refused', async () => {
    const { error } = await call('getAccountInfo', [String(large.publicKey), { encoding: 'base58' }]);
    expect(error?.code).toBe(-32600);
  });

  test('rentEpoch keeps all its digits', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [String(payer.publicKey)] });
    const answer = await fetch(network.url, { method: 'POST', body });
    expect(await answer.text()).toContain('"rentEpoch":18446744073709551615');
  });
});

describe('methods that common tools call on the local network', async () => {
  const payer = await network.funded();

  /** @returns its signature and slot */
  async function land(instructions: TransactionInstruction[], config: object = {}) {
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: await newest() });
    transaction.add(...instructions).sign(payer);
    const signature = await connection.sendRawTransaction(transaction.serialize(), config);
    const { value } = await connection.getSignatureStatus(signature);
    return { signature, slot: value?.slot ?? 0 };
  }

  const pay = (lamports = 1_000_000) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: Keypair.generate().publicKey, lamports });

  test('getEpochInfo counts what has landed', async () => {
    const { transactionCount: before = 0 } = await connection.getEpochInfo();
    await land([pay()]);
    await land([pay(1e13)], { skipPreflight: true });
    expect((await connection.getEpochInfo()).transactionCount).toBe(before + 2);
  });

  test('getRecentPrioritizationFees returns what was paid, for a slot or for the accounts that were written', async () => {
    const to = Keypair.generate();
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 4_321 });
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports: 1e6 });
    const { slot } = await land([price, transfer]);
    type Fees = { slot: number; prioritizationFee: number }[];
    const of = async (accounts: string[]) =>
      ((await call('getRecentPrioritizationFees', [accounts])).result as Fees).find((fee) => fee.slot === slot);
    expect(await of([to.publicKey.toBase58()])).toEqual({ slot, prioritizationFee: 4_321 });
    const [oldest, ...rest] = (await call('getRecentPrioritizationFees')).result as Fees;
    expect(oldest).toBeDefined();
    expect(
      rest.every((fee, index) => fee.slot > (index === 0 ? (oldest?.slot ?? 0) : (rest[index - 1]?.slot ?? 0))),
    ).toBe(true);
  });

  test('token balances of a transaction are not recorded, and jsonParsed is refused', async () => {
    const toToken = new TransactionInstruction({ programId: TOKEN_PROGRAM, keys: [], data: Buffer.of(99) });
    const { signature } = await land([toToken], { skipPreflight: true });
    const view = async (name: string, options: object = {}) =>
      call('getTransaction', [name, { maxSupportedTransactionVersion: 0, ...options }]);
    expect((await view(signature)).result).toMatchObject({ meta: { postTokenBalances: null } });
    const plain = await land([pay()]);
    expect((await view(plain.signature)).result).toMatchObject({ meta: { postTokenBalances: [] } });
    expect((await view(signature, { encoding: 'jsonParsed' })).error?.code).toBe(-32602);
  });
});
