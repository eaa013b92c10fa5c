import { CLUSTER_DELAYS } from '@fan-api/solana-wire/local-network';
import { Keypair, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  base64,
  postText,
  type RpcAnswer,
  rpc,
  startTestNetwork,
  type TestNetwork,
} from '../../packages/localnet/test/test-network.ts';
import { HAS_CLUSTER, openForeignCluster } from './cluster/foreign-cluster.ts';
import { kitMethods, web3Methods } from './localnet/client-methods.ts';
import { prepare, type Side, signedPayment } from './localnet/compared-side.ts';

/**
 * The same questions to the local network and to a real validator (`cluster/foreign-cluster.ts` says to which): refusals, encodings, stages,
 * and each method of web3.js and kit. What must agree are codes, words and shapes; values that two networks cannot share do not count.
 */
/** What LiteSVM does not tell, and what the newer release of our run time says that the older foreign one does not. */
const NOT_COMPARED = new Set(['costUnits', 'loadedAccountsDataSize', 'fee', 'loadedAddresses']);

const ADDRESS = '1'.repeat(32);
const SIGNATURE = '1'.repeat(64);
const FAR = 1_000_000_000;

type Params = unknown[] | Promise<unknown[]>;

const CONFIRMED = { commitment: 'confirmed' };
const RAW = { ...CONFIRMED, encoding: 'base64' };
const WHOLE = { ...RAW, maxSupportedTransactionVersion: 0 };
const latest = async ({ connection }: Side) => (await connection.getLatestBlockhash('confirmed')).blockhash;
const wire = async (side: Side, lamports: number) => signedPayment(side, lamports, await latest(side));

/** A good call of each method. */
const GOOD_CALLS: Record<string, (side: Side) => Params> = {
  getAccountInfo: (side) => [side.to.toBase58(), RAW],
  getBalance: (side) => [side.to.toBase58(), CONFIRMED],
  getBlockHeight: () => [CONFIRMED],
  getEpochInfo: () => [CONFIRMED],
  getGenesisHash: () => [],
  getLatestBlockhash: () => [CONFIRMED],
  getMinimumBalanceForRentExemption: () => [80],
  getMultipleAccounts: (side) => [[side.to.toBase58(), Keypair.generate().publicKey.toBase58()], RAW],
  getProgramAccounts: () => [
    '11111111111111111111111111111111',
    { ...RAW, filters: [{ dataSize: 80 }], withContext: true },
  ],
  getRecentPrioritizationFees: (side) => [[side.to.toBase58()]],
  getSignatureStatuses: (side) => [[side.landed.transfer], { searchTransactionHistory: true }],
  getSignaturesForAddress: (side) => [side.to.toBase58(), { ...CONFIRMED, limit: 5 }],
  getSlot: () => [CONFIRMED],
  getTransaction: (side) => [side.landed.transfer, WHOLE],
  isBlockhashValid: async (side) => [await latest(side), CONFIRMED],
  requestAirdrop: (side) => [side.to.toBase58(), 1_000_000],
  sendTransaction: async (side) => [await wire(side, 6e6), { encoding: 'base64', preflightCommitment: 'confirmed' }],
  simulateTransaction: async (side) => [await wire(side, 7e6), RAW],
};

/**
 * Matters of validators, stake and the whole ledger, of which the local network has none, and what nothing here calls. It says that it does not have the method.
 */
const NOT_SERVED = new Set([
  ...['getBlockCommitment', 'getBlockProduction', 'getHighestSnapshotSlot', 'getLeaderSchedule'],
  ...[
    'getMaxRetransmitSlot',
    'getMaxShredInsertSlot',
    'getRecentPerformanceSamples',
    'getVoteAccounts',
    'getStakeMinimumDelegation',
  ],
  ...['getInflationGovernor', 'getInflationRate', 'getInflationReward', 'getSupply', 'getLargestAccounts'],
  ...['getTokenLargestAccounts', 'getTokenAccountBalance', 'getTokenAccountsByDelegate', 'getTokenAccountsByOwner'],
  ...['getTokenSupply', 'getFeeForMessage', 'getTransactionCount', 'getEpochSchedule'],
  ...['getBlock', 'getBlockTime', 'getBlocks', 'getBlocksWithLimit', 'getFirstAvailableBlock', 'minimumLedgerSlot'],
  ...['getClusterNodes', 'getHealth', 'getIdentity', 'getSlotLeader', 'getSlotLeaders', 'getVersion'],
]);

/** In the libraries, but not in a validator of today either. */
const GONE = new Set([
  ...['getConfirmedSignaturesForAddress2', 'getFeeCalculatorForBlockhash', 'getStakeActivation'],
  ...['getAgGenesisCert', 'getTransactionsForAddress'],
]);

const SUBSCRIPTIONS: Record<string, (side: Side) => unknown[]> = {
  accountSubscribe: (side) => [side.to.toBase58(), RAW],
  logsSubscribe: (side) => [{ mentions: [side.to.toBase58()] }, CONFIRMED],
  // of a transaction that never lands: a notification would end it by itself
  signatureSubscribe: () => ['1'.repeat(64), CONFIRMED],
  slotSubscribe: () => [],
};

/** Off by default in a validator, for those who watch validators, or called by nothing here. */
const SUBSCRIPTIONS_NOT_SERVED = new Set([
  ...['blockSubscribe', 'voteSubscribe', 'slotsUpdatesSubscribe'],
  ...['programSubscribe', 'rootSubscribe'],
]);

test('every method that the client libraries call is compared, or known not to be served', () => {
  const both = [web3Methods(), kitMethods()];
  const calls = new Set(both.flatMap((library) => [...library.calls]));
  expect(both.map((library) => library.calls.size >= 40)).toEqual([true, true]);
  const known = new Set([...Object.keys(GOOD_CALLS), ...NOT_SERVED, ...GONE]);
  expect([...calls].filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !calls.has(name))).toEqual([]);

  const subscriptions = new Set(both.flatMap((library) => [...library.subscriptions]));
  const knownTopics = new Set([...Object.keys(SUBSCRIPTIONS), ...SUBSCRIPTIONS_NOT_SERVED]);
  expect([...subscriptions].filter((name) => !knownTopics.has(name))).toEqual([]);
  expect([...knownTopics].filter((name) => !subscriptions.has(name))).toEqual([]);
});

describe.skipIf(!HAS_CLUSTER)('the local network beside a real validator', () => {
  let foreign: TestNetwork;
  let network: TestNetwork;
  let sides: Side[] = [];

  beforeAll(async () => {
    foreign = await openForeignCluster();
    try {
      network = await startTestNetwork({ delays: CLUSTER_DELAYS });
      sides = await Promise.all([network.url, foreign.url].map(prepare));
    } catch (error) {
      await foreign.remove();
      throw error;
    }
  }, 300_000);
  afterAll(async () => {
    await network?.remove();
    await foreign?.remove();
  });

  /** Asks both sides and compares what `view` makes of the answers. */
  async function agree(question: (side: Side) => Promise<unknown>): Promise<void> {
    const [ours, theirs] = await Promise.all(sides.map(question));
    expect(without(ours, NOT_COMPARED)).toEqual(without(theirs, NOT_COMPARED));
  }

  const ask = (side: Side, method: string, params: unknown[] = []) => rpc(side.url, method, params);
  const shape = async (side: Side, method: string, params: unknown[] = []) => {
    const { result, error } = await ask(side, method, params);
    return error ? { error: { code: error.code, message: error.message } } : shapeOf(result);
  };

  // first: later, what was done is final here and not yet there, or not there any more
  test.each(Object.keys(GOOD_CALLS))('a good call: %s', (method) =>
    agree(async (side) => {
      const { result, error } = await rpc(side.url, method, (await GOOD_CALLS[method]?.(side)) ?? []);
      expect(error).toBeUndefined();
      return shapeOf(result);
    }),
  );

  test.each([
    ['nope', []],
    ['getGenesisHash', [1]],
    ['getSlot', [{}, 1]],
    ['getBalance', []],
    ['getBalance', ['x']],
    ['getBalance', ['1'.repeat(31)]],
    ['getBalance', [ADDRESS, {}, 1]],
    ['getBalance', { a: 1 }],
    ['getMultipleAccounts', [Array(101).fill(ADDRESS)]],
    ['getProgramAccounts', ['x']],
    ['getProgramAccounts', [ADDRESS, { filters: Array(5).fill({ dataSize: 1 }) }]],
    ['getSignatureStatuses', [['short']]],
    ['getSignatureStatuses', [Array(257).fill(SIGNATURE)]],
    ['getSignaturesForAddress', [ADDRESS, { limit: 1001 }]],
    ['getSignaturesForAddress', [ADDRESS, { limit: 0 }]],
    ['getSignaturesForAddress', [ADDRESS, { commitment: 'processed' }]],
    ['getSignaturesForAddress', [ADDRESS, { before: 'x' }]],
    ['getTransaction', ['x']],
    ['getTransaction', [SIGNATURE, { commitment: 'processed' }]],
    ['getMinimumBalanceForRentExemption', [FAR]],
    ['getRecentPrioritizationFees', [Array(129).fill(ADDRESS)]],
    ['getRecentPrioritizationFees', [['x']]],
    ['requestAirdrop', ['x', 1]],
  ])('the words of a refusal: %s %j', (method, params) =>
    agree(async (side) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const { error } = (await (await postText(side.url, body)).json()) as RpcAnswer;
      return { code: error?.code, message: error?.message };
    }),
  );

  test.each([
    ['getBalance', [5]],
    ['getBalance', [ADDRESS, 5]],
    ['getBalance', [ADDRESS, { minContextSlot: -1 }]],
    ['getAccountInfo', [ADDRESS, { encoding: 'foo' }]],
    ['getAccountInfo', [ADDRESS, { dataSlice: { offset: 1 } }]],
    ['sendTransaction', ['0OIl']],
    ['sendTransaction', ['AQ', { encoding: 'base64' }]],
    ['sendTransaction', ['1'.repeat(5_000)]],
    ['sendTransaction', ['AA==', { encoding: 'base64+zstd' }]],
    ['sendTransaction', ['AA==', { encoding: 'base64', preflightCommitment: 'soon' }]],
    ['simulateTransaction', ['', { encoding: 'base64' }]],
    ['requestAirdrop', [ADDRESS, 0.5]],
    ['isBlockhashValid', ['x']],
    ['getTransaction', [SIGNATURE, { maxSupportedTransactionVersion: 300 }]],
  ])('the code of a refusal: %s %j', (method, params) =>
    agree(async (side) => (await ask(side, method, params)).error?.code),
  );

  test.each([
    '{',
    '',
    '[]',
    '1',
    '"x"',
    'null',
    '{}',
    '[1]',
    '{"id":1,"method":5}',
    '{"id":{},"method":"getSlot"}',
    '{"id":1,"method":"getGenesisHash"}',
    '{"jsonrpc":"2.0","method":"getGenesisHash"}',
    '{"jsonrpc":"1.0","id":1,"method":"getGenesisHash"}',
    '[{"jsonrpc":"2.0","method":"getGenesisHash"}]',
    '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","x":1}',
    '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","params":null}',
    '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","params":5}',
    '{"jsonrpc":"2.0","id":1.5,"method":"getGenesisHash"}',
    '{"jsonrpc":"2.0","id":"a","method":"getGenesisHash"}',
  ])('a body that is no call, or an odd one: %s', (body) =>
    agree(async (side) => {
      const text = (await (await postText(side.url, body)).text()).trim();
      if (text === '') return '';
      const { id, result, error } = JSON.parse(text) as RpcAnswer;
      return { id, result: shapeOf(result), error };
    }),
  );

  test('a context slot that is not reached', () =>
    agree(async (side) => {
      const config = { minContextSlot: FAR };
      const calls = [
        ask(side, 'getSlot', [config]),
        ask(side, 'getBalance', [ADDRESS, config]),
        ask(side, 'getLatestBlockhash', [config]),
        ask(side, 'getSignaturesForAddress', [ADDRESS, config]),
      ];
      return (await Promise.all(calls)).map(({ error }) => [error?.code, error?.message, shapeOf(error?.data)]);
    }));

  test('accounts in each encoding: a wallet, a nonce account', () =>
    agree(async (side) => {
      const views = [side.to, side.nonce.publicKey].flatMap((key) =>
        ['base58', 'base64', 'base64+zstd'].map(async (encoding) => {
          const config = { encoding, commitment: 'confirmed', dataSlice: { offset: 0, length: 64 } };
          return shape(side, 'getAccountInfo', [key.toBase58(), config]);
        }),
      );
      return Promise.all(views);
    }));

  test.each(['json', 'base64', 'base58'])('what landed, in %s: errors, balances, logs, instructions', (encoding) =>
    agree(async (side) => {
      const config = { encoding, commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const names = Object.entries(side.landed);
      return Promise.all(
        names.map(async ([name, signature]) => {
          const { result } = await ask(side, 'getTransaction', [signature, config]);
          const { meta } = result as { meta: { err: unknown; logMessages: string[]; computeUnitsConsumed: number } };
          return [name, meta.err, withoutNumbers(meta.logMessages), meta.computeUnitsConsumed, shapeOf(result)];
        }),
      );
    }),
  );

  test('simulation and preflight: refusals with their data', () =>
    agree(async (side) => {
      const { blockhash } = await side.connection.getLatestBlockhash('processed');
      const wire = (lamports: number, hash = blockhash) => signedPayment(side, lamports, hash);
      const base = { encoding: 'base64', commitment: 'processed' };
      const answers = [
        await ask(side, 'simulateTransaction', [wire(2e6), { ...base, innerInstructions: true }]),
        await ask(side, 'simulateTransaction', [wire(2e6, side.to.toBase58()), base]),
        await ask(side, 'simulateTransaction', [
          wire(2e6, side.to.toBase58()),
          { ...base, replaceRecentBlockhash: true },
        ]),
        await ask(side, 'simulateTransaction', [wire(2e15), { ...base, innerInstructions: true }]),
        await ask(side, 'simulateTransaction', [wire(2e6), { ...base, sigVerify: true, replaceRecentBlockhash: true }]),
        await ask(side, 'sendTransaction', [wire(2e15), { ...base, preflightCommitment: 'processed' }]),
        await ask(side, 'sendTransaction', [wire(2e6), base]),
        await ask(side, 'sendTransaction', [wire(2e6, side.to.toBase58()), base]),
        await ask(side, 'sendTransaction', [wire(2e6), { ...base, minContextSlot: FAR }]),
      ];
      return answers.map(({ result, error }) => [
        shapeOf(result),
        error?.code,
        error?.message,
        shapeOf(error?.data),
        error?.data?.err,
      ]);
    }));

  test('a wrong signature, and one of zeros', () =>
    agree(async (side) => {
      const { blockhash } = await side.connection.getLatestBlockhash('processed');
      const wrong = Buffer.from(signedPayment(side, 3e6, blockhash), 'base64');
      wrong[10] = (wrong[10] ?? 0) ^ 1;
      const zeros = Buffer.from(wrong).fill(0, 1, 65);
      const config = { encoding: 'base64', sigVerify: true, commitment: 'processed' };
      const answers = [wrong, zeros].flatMap((bytes) => [
        ask(side, 'sendTransaction', [base64(bytes), { encoding: 'base64' }]),
        ask(side, 'simulateTransaction', [base64(bytes), config]),
      ]);
      return (await Promise.all(answers)).map(({ error }) => error);
    }));

  test('a transaction is seen at each commitment in turn, over WebSocket, with notifications of one shape', () =>
    agree(async (prepared) => {
      const side = { ...prepared, to: Keypair.generate().publicKey };
      const socket = await openSocket(side);
      const { blockhash } = await side.connection.getLatestBlockhash('confirmed');
      const wire = signedPayment(side, 4e6, blockhash);
      const signature = Transaction.from(Buffer.from(wire, 'base64')).signatures[0]?.signature;
      const told: [string, unknown][] = [];
      const names = new Map<number, string>();
      let waiting = 0;
      const done = new Promise<void>((resolve) => {
        socket.on('message', (data) => {
          const { id, result, params } = JSON.parse(String(data));
          if (id !== undefined) return void names.set(result, id);
          const name = names.get(params.subscription) ?? '';
          if (told.some(([known]) => known === name)) return;
          told.push([name, shapeOf(params.result)]);
          waiting -= 1;
          if (waiting === 0) resolve();
        });
      });
      const subscribe = (id: string, method: string, params: unknown[]) => {
        waiting += 1;
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      };
      const { default: bs58 } = await import('bs58');
      for (const commitment of ['confirmed', 'finalized']) {
        subscribe(`signature ${commitment}`, 'signatureSubscribe', [
          bs58.encode(signature ?? new Uint8Array()),
          { commitment },
        ]);
        subscribe(`account ${commitment}`, 'accountSubscribe', [
          side.to.toBase58(),
          { commitment, encoding: 'base64' },
        ]);
        subscribe(`logs ${commitment}`, 'logsSubscribe', [{ mentions: [side.to.toBase58()] }, { commitment }]);
      }
      subscribe('slot', 'slotSubscribe', []);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const started = Date.now();
      await ask(side, 'sendTransaction', [wire, { encoding: 'base64', preflightCommitment: 'confirmed' }]);
      await done;
      socket.close();
      const took = Date.now() - started;
      // 32 slots of 400 ms, and what a loaded machine adds
      expect(took).toBeGreaterThan(8_000);
      expect(took).toBeLessThan(30_000);
      const stages = told.map(([name]) => name).filter((name) => name.includes(' '));
      expect(stages.slice(0, 3).every((name) => name.endsWith('confirmed'))).toBe(true);
      return told.sort(([a], [b]) => a.localeCompare(b));
    }));

  test.each([
    ['nope', []],
    ['blockSubscribe', ['all']],
    ['accountUnsubscribe', [99_999]],
    ['accountSubscribe', []],
    ['getSlot', []],
  ])('a refusal over WebSocket: %s %j', (method, params) =>
    agree(async (side) => {
      const socket = await openSocket(side);
      const answer = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      const { error } = (await answer) as RpcAnswer;
      socket.close();
      return { code: error?.code, message: error?.message };
    }),
  );

  test.each([...GONE])('%s is in neither', (method) =>
    agree(async (side) => {
      const { error } = await rpc(side.url, method, []);
      expect(error?.code).toBe(-32601);
      return error;
    }),
  );

  test.each([...NOT_SERVED])('%s: the local network says that it does not have it', async (method) => {
    expect((await rpc(network.url, method)).error).toEqual({ code: -32601, message: 'Method not found' });
  });

  test.each(Object.keys(SUBSCRIPTIONS))('%s is taken and ended alike', (method) =>
    agree(async (side) => {
      const socket = await openSocket(side);
      const call = (id: number, name: string, params: unknown[]) => {
        const answer = new Promise<Record<string, unknown>>((resolve) => {
          socket.on('message', (data) => {
            const message = JSON.parse(String(data));
            if (message.id === id) resolve(message);
          });
        });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: name, params }));
        return answer;
      };
      const taken = await call(1, method, SUBSCRIPTIONS[method]?.(side) ?? []);
      const ended = await call(2, method.replace('Subscribe', 'Unsubscribe'), [taken.result]);
      socket.close();
      return [typeof taken.result, taken.error, ended.result, ended.error];
    }),
  );
});

/** Balances in logs differ by what was done before. */
function withoutNumbers(value: unknown): unknown {
  return Array.isArray(value) ? value.map((line) => String(line).replace(/\d+/g, '#')) : value;
}

async function openSocket({ url }: Side): Promise<WebSocket> {
  const { hostname, port } = new URL(url);
  const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`);
  await new Promise((resolve) => socket.once('open', resolve));
  return socket;
}

/** The shape of an answer: names and types, without the values that two networks cannot share. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** An object without some of its members, at any depth. */
function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => without(member, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, names)]));
}
