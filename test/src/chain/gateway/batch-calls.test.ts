import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transferBytes } from '../../../../packages/localnet/test/test-network.ts';
import { type ChainGateway, createGateway } from '../../../../src/chain/gateway/gateway.ts';
import { type Fate, only } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';

const app = await testChainApp();
let gateway: ChainGateway;
beforeEach(() => {
  // what a gateway knows about its node lives as long as the gateway
  gateway = createGateway({ rpcUrl: app.proxy.url, programId: app.chain.programId });
});
afterEach(() => app.proxy.reset());

async function transfers(count: number): Promise<Uint8Array[]> {
  const from = await app.network.funded();
  const { blockhash } = await app.connection.getLatestBlockhash();
  app.proxy.reset();
  return Array.from({ length: count }, (_, at) =>
    transferBytes(from, Keypair.generate().publicKey, 1_000_000 + at, blockhash),
  );
}

function submitAll(all: readonly Uint8Array[]) {
  return Promise.all(all.map((bytes) => gateway.submit(bytes)));
}

const ACCEPTED = { outcome: 'accepted' };
const UNKNOWN = { outcome: 'unknown' };

describe('transactions that are submitted at once', () => {
  it('go in one batch, up to ten, and each gets its own answer', async () => {
    const all = await transfers(12);
    all[3] = Buffer.from([1, 2, 3]);
    const outcomes = await submitAll(all);
    expect(app.proxy.batches.map((batch) => batch.length)).toEqual([10, 2]);
    expect(outcomes[3]).toMatchObject({ outcome: 'refused' });
    expect(outcomes.toSpliced(3, 1)).toEqual(Array.from({ length: 11 }, () => ACCEPTED));
  });

  it('one alone is no batch', async () => {
    expect(await submitAll(await transfers(1))).toEqual([ACCEPTED]);
    expect(app.proxy.batches).toEqual([]);
  });

  it.each<[string, Fate]>([
    ['the connection breaks', 'away'],
    ['the answer is lost', 'lose answer'],
    ['the node is busy', { status: 429 }],
    ['the node has an error', { status: 503 }],
  ])('%s: the batch is sent once, and the fate of all is unknown', async (_, fate) => {
    const all = await transfers(3);
    app.proxy.setRule(only(fate, 'sendTransaction'));
    expect(await submitAll(all)).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
    expect(app.proxy.batches).toHaveLength(1);
    expect(app.proxy.count('sendTransaction')).toBe(3);
    // that was no refusal of batches
    app.proxy.reset();
    expect(await submitAll(all)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
    expect(app.proxy.batches).toHaveLength(1);
  });

  it('one that the node leaves out of its answer is unknown, the others are not', async () => {
    const all = await transfers(3);
    app.proxy.setBatchAnswer((replies) => replies.slice(1));
    expect(await submitAll(all)).toEqual([UNKNOWN, ACCEPTED, ACCEPTED]);
  });
});

describe('a node that refuses batches', () => {
  it.each<[string, unknown, number]>([
    ['by one error for all', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } }, 200],
    ['by an error to nobody', [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches' } }], 200],
    ['by its status', 'Batch requests are not allowed', 403],
  ])('%s, gets the transactions one by one, and no further batch', async (_, body, status) => {
    const all = await transfers(3);
    app.proxy.setBatchAnswer(() => body, { status, unread: true });
    expect(await submitAll(all)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
    expect(app.proxy.batches).toHaveLength(1);
    expect(await submitAll(await transfers(2))).toEqual([ACCEPTED, ACCEPTED]);
    expect(app.proxy.batches).toHaveLength(0);
  });
});
