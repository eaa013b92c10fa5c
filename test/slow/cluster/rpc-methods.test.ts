import { CLUSTER_DELAYS } from '@fan-api/solana-wire/local-network';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { rpc, startTestNetwork, type TestNetwork } from '../../../packages/localnet/test/test-network.ts';
import { kitMethods, web3Methods } from '../localnet/client-methods.ts';
import { prepare, type Side, signedPayment } from '../localnet/compared-side.ts';
import { shapeOf, without } from '../localnet/shape.ts';
import { HAS_CLUSTER, openForeignCluster } from './foreign-cluster.ts';

/**
 * Each RPC method of web3.js and kit that the local network has gives an answer of the same shape on the local network as on a real
 * validator, side by side. Refusals, encodings and stages are compared in `localnet-compare.test.ts`.
 */
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
  ...[
    'getBlockCommitment',
    'getBlockProduction',
    'getHighestSnapshotSlot',
    'getLeaderSchedule',
    'getMaxRetransmitSlot',
  ],
  ...['getMaxShredInsertSlot', 'getRecentPerformanceSamples', 'getVoteAccounts', 'getStakeMinimumDelegation'],
  ...['getInflationGovernor', 'getInflationRate', 'getInflationReward', 'getSupply', 'getLargestAccounts'],
  ...['getTokenLargestAccounts', 'getTokenAccountBalance', 'getTokenAccountsByDelegate', 'getTokenAccountsByOwner'],
  ...['getTokenSupply', 'getProgramAccounts', 'getFeeForMessage', 'getTransactionCount', 'getEpochSchedule'],
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

/** What the newer release of our run time says that the older foreign one does not, and what LiteSVM does not tell. */
const NOT_COMPARED = new Set(['costUnits', 'loadedAccountsDataSize', 'fee', 'loadedAddresses']);

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

describe.skipIf(!HAS_CLUSTER)('the methods of client libraries, beside a real validator', { timeout: 60_000 }, () => {
  let foreign: TestNetwork;
  let local: TestNetwork;
  let sides: Side[] = [];

  beforeAll(async () => {
    foreign = await openForeignCluster();
    try {
      local = await startTestNetwork({ delays: CLUSTER_DELAYS });
      sides = await Promise.all([local.url, foreign.url].map(prepare));
    } catch (error) {
      await foreign.remove();
      throw error;
    }
  }, 300_000);
  afterAll(async () => {
    await local?.remove();
    await foreign?.remove();
  });

  async function agree(question: (side: Side) => Promise<unknown>): Promise<void> {
    const [ours, theirs] = await Promise.all(sides.map(question));
    expect(without(ours, NOT_COMPARED)).toEqual(without(theirs, NOT_COMPARED));
  }

  test.each(Object.keys(GOOD_CALLS))('%s', (method) =>
    agree(async (side) => {
      const { result, error } = await rpc(side.url, method, (await GOOD_CALLS[method]?.(side)) ?? []);
      expect(error).toBeUndefined();
      return shapeOf(result);
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
    const [ours] = sides;
    expect((await rpc(ours?.url ?? '', method, [])).error).toEqual({ code: -32601, message: 'Method not found' });
  });

  test.each(Object.keys(SUBSCRIPTIONS))('%s is taken and ended alike', (method) =>
    agree(async (side) => {
      const { hostname, port } = new URL(side.url);
      const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`);
      await new Promise((resolve) => socket.once('open', resolve));
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
