import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChainGateway } from '../../../../src/chain/gateway/gateway.ts';
import type { HistoryCursor } from '../../../../src/chain/gateway/read-history.ts';
import { type Fate, only } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

/** The program's history, from nodes that prune, lag or give what is not known here. */
let gateway: ChainGateway;
const app = await testChainApp();
beforeAll(async () => {
  gateway = app.chain.gateway;
});
afterEach(() => app.proxy.reset());

const newSignature = () => bs58.encode(randomBytes(64));

function entry(slot: number, signature = newSignature()) {
  return { signature, slot, err: null, memo: null, blockTime: null, confirmationStatus: 'confirmed' };
}

/** A node with these entries, newest first, that knows the cursor only where it is among them. */
function serve(entries: readonly unknown[]): void {
  const signatureOf = (each: unknown) => (each as { signature?: unknown }).signature;
  app.proxy.setRule(({ params }): Fate => {
    const { before, until, limit } = params[1] as { before?: string; until?: string; limit: number };
    const start = before === undefined ? 0 : entries.findIndex((each) => signatureOf(each) === before) + 1;
    const end = entries.findIndex((each) => signatureOf(each) === until);
    return { reply: { result: entries.slice(start, end < 0 ? entries.length : end).slice(0, limit) } };
  });
}

const CURSOR: HistoryCursor = { signature: newSignature(), slot: 100 };

describe('the program’s transactions', () => {
  it('those after a cursor, oldest first', async () => {
    const all = await gateway.programSignatures(null);
    expect(all.complete).toBe(false);
    const [, , since, ...after] = all.transactions;
    if (!since) throw new Error('the starter kit made transactions');
    expect(await gateway.programSignatures(since)).toEqual({ transactions: after, complete: true });
    const [, config] = app.proxy.calls.at(-1)?.params ?? [];
    expect(config).toMatchObject({ until: since.signature, minContextSlot: since.slot, commitment: 'confirmed' });
  });

  it('over pages, each once', async () => {
    const entries = Array.from({ length: 1_500 }, (_, index) => entry(2_000 - index));
    serve([...entries, entry(100, CURSOR.signature), entry(99)]);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(complete).toBe(true);
    expect(transactions.map(({ signature }) => signature)).toEqual(
      entries.map(({ signature }) => signature).toReversed(),
    );
    expect(app.proxy.calls).toHaveLength(2);
  });

  it('a cursor that the node has pruned: the search ends at its slot', async () => {
    const recent = [entry(102), entry(100)];
    serve([...recent, ...Array.from({ length: 5_000 }, () => entry(99))]);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(transactions.map(({ signature }) => signature)).toEqual(
      recent.map(({ signature }) => signature).toReversed(),
    );
    expect(complete).toBe(true);
    expect(app.proxy.calls).toHaveLength(1);
  });

  it('too many to hold: the newest 3,000, and that they are not all', async () => {
    const entries = Array.from({ length: 9_000 }, (_, index) => entry(20_000 - index));
    serve(entries);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(complete).toBe(false);
    expect(transactions).toHaveLength(3_000);
    expect(transactions.at(-1)?.signature).toBe(entries[0]?.signature);
    expect(app.proxy.calls).toHaveLength(3);
  });

  it('without a cursor: the newest page, and that they are not all', async () => {
    serve(Array.from({ length: 2_500 }, (_, index) => entry(20_000 - index)));
    const { transactions, complete } = await gateway.programSignatures(null);
    expect({ found: transactions.length, complete }).toEqual({ found: 1_000, complete: false });
    expect(app.proxy.calls).toHaveLength(1);
  });

  it('where the node answers with an error, it is unavailable, and the log names method and code', async () => {
    app.proxy.setRule(only({ reply: { error: { code: -32603, message: 'Internal error' } } }));
    await expect(gateway.programSignatures(CURSOR)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'getSignaturesForAddress: -32603 Internal error' },
    });
  });

  it('exactly full pages up to the cursor are all of them', async () => {
    const entries = Array.from({ length: 1_000 }, (_, index) => entry(2_000 - index));
    serve([...entries, entry(100, CURSOR.signature)]);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(transactions).toHaveLength(1_000);
    expect(complete).toBe(true);
  });

  it.each<[string, unknown]>([
    ['without a signature', { slot: 101, err: null }],
    ['whose signature is no base58', { ...entry(101), signature: `${'1'.repeat(70)}\0` }],
    ['whose signature is too long to store', { ...entry(101), signature: '1'.repeat(89) }],
    ['without a word on its error', { signature: newSignature(), slot: 101 }],
    ['with a slot that is none', { ...entry(101), slot: 1e300 }],
    ['that is a text', 'transaction'],
  ])('an entry %s does not hide the others, and shows that they are not all', async (_, odd) => {
    const good = entry(102);
    serve([good, odd, entry(101), entry(100, CURSOR.signature)]);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(transactions.map(({ slot }) => slot)).toEqual([101, 102]);
    expect(complete).toBe(false);
  });

  it('a page without one entry that can be read is not asked for again and again', async () => {
    serve(Array.from({ length: 1_000 }, () => 'transaction'));
    expect(await gateway.programSignatures(CURSOR)).toEqual({ transactions: [], complete: false });
    expect(app.proxy.calls).toHaveLength(1);
  });

  it('tells transactions without effect apart', async () => {
    serve([{ ...entry(102), err: { InstructionError: [0, 'Custom'] } }, entry(101)]);
    const { transactions } = await gateway.programSignatures(CURSOR);
    expect(transactions.map(({ failed }) => failed)).toEqual([false, true]);
  });
});

describe('the addresses of a transaction', () => {
  const message = { accountKeys: [randomAddress()] };

  it.each<[string, Fate]>([
    ['null', { reply: { result: null } }],
    [
      'a version that it does not serve',
      {
        reply: {
          error: { code: -32015, message: 'Transaction version (1) is not supported by the requesting client' },
        },
      },
    ],
    ['an error of its own', { reply: { error: { code: -32603, message: 'Internal error' } } }],
    ['another error', { reply: { error: { code: -32011, message: 'Transaction history is not available' } } }],
    ['a text', { reply: { result: 'transaction' } }],
    ['an unknown shape', { reply: { result: { version: 1, transaction: ['AQ==', 'base64'] } } }],
    [
      'keys with their flags',
      { reply: { result: { transaction: { message: { accountKeys: [{ pubkey: randomAddress() }] } }, meta: null } } },
    ],
    ['keys that are none', { reply: { result: { transaction: { message: { accountKeys: ['\0'] } }, meta: null } } }],
    [
      'lookup tables without the addresses in them',
      { reply: { result: { transaction: { message: { ...message, addressTableLookups: [{}] } }, meta: {} } } },
    ],
    [
      'loaded addresses that are none',
      {
        reply: {
          result: { transaction: { message }, meta: { loadedAddresses: { writable: ['\0'], readonly: [] } } },
        },
      },
    ],
  ])('where the node gives %s, they are not known', async (_, fate) => {
    app.proxy.setRule(only(fate));
    expect(await gateway.addressesIn(newSignature())).toBeUndefined();
    expect(app.proxy.calls).toHaveLength(1);
  });

  it('those of the message and those loaded from tables', async () => {
    const [writable, readonly] = [randomAddress(), randomAddress()];
    const meta = { loadedAddresses: { writable: [writable], readonly: [readonly] } };
    app.proxy.setRule(only({ reply: { result: { transaction: { message }, meta } } }));
    expect(await gateway.addressesIn(newSignature())).toEqual([...message.accountKeys, writable, readonly]);
  });

  it('a transaction without tables needs no word on loaded addresses', async () => {
    app.proxy.setRule(only({ reply: { result: { transaction: { message }, meta: null } } }));
    expect(await gateway.addressesIn(newSignature())).toEqual(message.accountKeys);
  });

  it.each<[string, Fate]>([
    ['is away', 'away'],
    ['answers without JSON-RPC', { status: 500 }],
  ])('where the node %s, nothing is known of the transaction', async (_, fate) => {
    app.proxy.setRule(only(fate));
    await expect(gateway.addressesIn(newSignature())).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
  });
});
