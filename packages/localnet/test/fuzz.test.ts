import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startHostedNetwork } from './hosted-network.ts';
import { base64, postText, type RpcAnswer, rpc, transferBytes, until } from './test-network.ts';

const ADDRESS = '11111111111111111111111111111111';
const SIGNATURE = '1'.repeat(64);

/** Parameters that each method takes, and that the odd ones are put into. */
const METHODS: Record<string, unknown[]> = {
  getAccountInfo: [ADDRESS, { encoding: 'base64' }],
  getBalance: [ADDRESS, {}],
  getBlockHeight: [{}],
  getEpochInfo: [{}],
  getGenesisHash: [],
  getLatestBlockhash: [{}],
  getMinimumBalanceForRentExemption: [10, {}],
  getMultipleAccounts: [[ADDRESS], { encoding: 'base64', dataSlice: { offset: 0, length: 5 } }],
  getRecentPrioritizationFees: [[ADDRESS]],
  getSignatureStatuses: [[SIGNATURE], { searchTransactionHistory: true }],
  getSignaturesForAddress: [ADDRESS, { limit: 5, before: SIGNATURE, until: SIGNATURE }],
  getSlot: [{ minContextSlot: 0 }],
  getTransaction: [SIGNATURE, { encoding: 'json', maxSupportedTransactionVersion: 0 }],
  isBlockhashValid: [ADDRESS, {}],
  requestAirdrop: [ADDRESS, 1_000_000, {}],
  sendTransaction: [
    'AAAA',
    { encoding: 'base64', skipPreflight: true, preflightCommitment: 'processed', maxRetries: 0 },
  ],
  simulateTransaction: [
    'AAAA',
    { encoding: 'base64', sigVerify: true, accounts: { addresses: [ADDRESS], encoding: 'base64' } },
  ],
};

const SUBSCRIPTIONS: Record<string, unknown[]> = {
  accountSubscribe: [ADDRESS, { encoding: 'base64' }],
  accountUnsubscribe: [1],
  logsSubscribe: [{ mentions: [ADDRESS] }, {}],
  signatureSubscribe: [SIGNATURE, { enableReceivedNotification: true }],
  slotSubscribe: [],
};

/** Values that a cast or an index may trip over, and any other JSON. */
const ODD = fc.sample(
  fc.oneof(
    fc.constantFrom<unknown>(-1, 1.5, 1e308, 2 ** 53, 2 ** 64, 'O0Il', '1'.repeat(31), '1'.repeat(5_000), '\ud800'),
    fc.constantFrom<unknown>('__proto__', 'constructor', [ADDRESS, 5], Array(300).fill(ADDRESS), { mentions: [] }),
    fc.record({ encoding: fc.jsonValue(), commitment: fc.jsonValue(), minContextSlot: fc.jsonValue() }),
    fc.record({ dataSlice: fc.jsonValue(), limit: fc.integer(), before: fc.jsonValue(), accounts: fc.jsonValue() }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
  { numRuns: 60, seed: 7 },
);

/** The codes that a cluster answers malformed parameters with, and those that odd but well-formed ones may come to. */
const REFUSALS = new Set([-32602, -32600, -32603, -32002, -32003, -32015, -32016]);

function variants(params: unknown[]): unknown[] {
  const found: unknown[] = [...ODD, ...ODD.map((odd) => [odd])];
  params.forEach((param, index) => {
    for (const odd of ODD) found.push(params.with(index, odd));
    if (typeof param !== 'object' || param === null || Array.isArray(param)) return;
    for (const name of [...Object.keys(param), 'commitment', 'minContextSlot', 'encoding']) {
      for (const odd of ODD) found.push(params.with(index, { ...param, [name]: odd }));
    }
  });
  found.push([...params, 1], params.slice(0, -1), [...params, ...params]);
  return found;
}

describe('odd parameters on the local network', async () => {
  const network = await startHostedNetwork({ withProgram: false });
  afterAll(network.remove);

  test.each(Object.entries(METHODS))(
    '%s: each odd parameter is answered, and none is a fault of the network',
    async (method, params) => {
      const calls = variants(params)
        .filter((odd) => odd === null || typeof odd === 'object')
        .map((odd, id) => ({ jsonrpc: '2.0', id, method, params: odd }));
      expect(calls.length).toBeGreaterThan(60);
      for (let from = 0; from < calls.length; from += 50) {
        const batch = calls.slice(from, from + 50);
        const answers = (await (await postText(network.url, JSON.stringify(batch))).json()) as RpcAnswer[];
        expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
        for (const [index, { error }] of answers.entries()) {
          const call = batch[index];
          if (error) expect({ call, known: REFUSALS.has(error.code) }).toEqual({ call, known: true });
          expect({ call, message: error?.message }).not.toEqual({ call, message: 'Internal error' });
        }
      }
      expect((await rpc(network.url, 'getSlot')).result).toEqual(expect.any(Number));
    },
  );

  test('odd parameters of subscriptions are answered too, and notifications go on', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${network.port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const answers: RpcAnswer[] = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if ('id' in message) answers.push(message);
    });
    const calls = Object.entries(SUBSCRIPTIONS).flatMap(([method, params]) =>
      variants(params).flatMap((odd) => (odd === null || typeof odd === 'object' ? [{ method, params: odd }] : [])),
    );
    for (const [id, call] of calls.entries()) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...call }));
    await until(() => answers.length === calls.length);
    const payer = await network.funded();
    const { blockhash } = await network.connection.getLatestBlockhash();
    const bytes = transferBytes(payer, Keypair.generate().publicKey, 1_000_000, blockhash);
    expect((await rpc(network.url, 'sendTransaction', [base64(bytes), { encoding: 'base64' }])).error).toBeUndefined();
    for (const { error } of answers) expect(error === undefined || error.message !== 'Internal error').toBe(true);
    socket.close();
  });

  test('random bytes as transactions are refused, and the network lives on', async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const payer = await network.funded();
    const { blockhash } = await network.connection.getLatestBlockhash();
    const good = transferBytes(payer, Keypair.generate().publicKey, 1_000_000, blockhash);
    for (let round = 0; round < 400; round++) {
      const bytes = Uint8Array.from(good);
      for (let flip = 0; flip <= random() * 6; flip++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
      const options = { encoding: 'base64', skipPreflight: round % 2 === 0 };
      await rpc(network.url, 'sendTransaction', [base64(bytes), options]);
      await rpc(network.url, 'simulateTransaction', [
        base64(bytes),
        { encoding: 'base64', replaceRecentBlockhash: true },
      ]);
    }
    expect((await rpc(network.url, 'getSlot')).result).toEqual(expect.any(Number));
  });
});
