import { randomBytes } from 'node:crypto';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { errorCode } from '@fan-api/ticket-program/errors';
import { Keypair, SystemProgram } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signatureIn, transferBytes } from '../../../../packages/localnet/test/test-network.ts';
import { isBadAnswer } from '../../../../src/chain/gateway/ask.ts';
import { type ChainGateway, createGateway } from '../../../../src/chain/gateway/gateway.ts';
import { createJsonRpc } from '../../../../src/chain/gateway/json-rpc.ts';
import { requireReadable } from '../../../../src/chain/gateway/read-accounts.ts';
import type { HistoryCursor } from '../../../../src/chain/gateway/read-history.ts';
import { moreTickets, oneTicket } from '../../../support/chain-app.ts';
import { encodeAccount } from '../../../support/encode-account.ts';
import { type Fate, only, type RpcReply } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

const app = await testChainApp();
const { gateway } = app.chain;
afterEach(() => app.proxy.reset());
const [sound, bad] = [await oneTicket(app, app.users[0]), await oneTicket(app, app.users[0])];

function first(count: number, fate: Fate) {
  let seen = 0;
  return (): Fate => {
    seen += 1;
    return seen <= count ? fate : 'pass';
  };
}

const UNAVAILABLE = { name: 'DomainError', code: 'unavailable', retryAfter: 5 };

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { took: performance.now() - began, value };
}

async function someTransfer(): Promise<Uint8Array> {
  const from = await app.network.funded();
  const { blockhash } = await app.connection.getLatestBlockhash();
  return transferBytes(from, Keypair.generate().publicKey, 1_000_000, blockhash);
}

describe('reads', () => {
  it.each<[string, Fate]>([
    ['a broken connection', 'away'],
    ['a busy node', { status: 429 }],
    ['a gateway’s error', { status: 502 }],
  ])('are repeated after %s, twice at most', async (_, fate) => {
    app.proxy.setRule(first(2, fate));
    expect(await gateway.genesisHash()).toBe(await app.connection.getGenesisHash());
    expect(app.proxy.count('getGenesisHash')).toBe(3);
    app.proxy.reset();
    app.proxy.setRule(only(fate));
    await expect(gateway.genesisHash()).rejects.toMatchObject(UNAVAILABLE);
    expect(app.proxy.count('getGenesisHash')).toBe(3);
  });

  it('wait for as long as Retry-After says', async () => {
    app.proxy.setRule(first(1, { status: 429, headers: { 'retry-after': '1' } }));
    const { took } = await timed(() => gateway.genesisHash());
    expect(took).toBeGreaterThan(990);
    expect(app.proxy.count('getGenesisHash')).toBe(2);
  });

  it('are given up where Retry-After asks for more than a request can wait: not sooner than it says', async () => {
    app.proxy.setRule(only({ status: 429, headers: { 'retry-after': '60' } }));
    const { took } = await timed(() => gateway.genesisHash().catch((error: unknown) => error));
    expect(took).toBeLessThan(2_000);
    expect(app.proxy.count('getGenesisHash')).toBe(1);
  });

  it('have a time limit for each attempt', async () => {
    app.proxy.setRule(only('hang'));
    const impatient = createJsonRpc(app.proxy.url, { timeout: 500, attempts: 2 });
    const { took, value } = await timed(() => impatient('getSlot', []).catch((error: Error) => error.message));
    expect(value).toBe('no answer within 500 ms');
    expect(took).toBeGreaterThan(990);
    expect(app.proxy.count('getSlot')).toBe(2);
  });
});

describe('sending is never repeated blindly', () => {
  it.each<[string, Fate]>([
    ['the connection breaks', 'away'],
    ['the answer is lost', 'lose answer'],
    ['the node is busy', { status: 429 }],
    ['the node has an error', { status: 503 }],
    ['the answer is no answer', () => ({ result: 7 }) as RpcReply],
    ['the node is unhealthy', { reply: { error: { code: -32005, message: 'Node is behind' } } }],
  ])('%s: sent once, and its fate is unknown', async (_, fate) => {
    const bytes = await someTransfer();
    app.proxy.setRule(only(fate));
    expect(await gateway.submit(bytes)).toEqual({ outcome: 'unknown' });
    expect(app.proxy.count('sendTransaction')).toBe(1);
  });

  it('nor is an airdrop', async () => {
    app.proxy.setRule(only('away'));
    await expect(gateway.airdrop(randomAddress(), 1)).rejects.toMatchObject(UNAVAILABLE);
    expect(app.proxy.count('requestAirdrop')).toBe(1);
  });

  it('accepted; the same again is accepted too, as what has landed', async () => {
    const bytes = await someTransfer();
    expect(await gateway.submit(bytes)).toEqual({ outcome: 'accepted' });
    expect(await gateway.submit(bytes)).toEqual({ outcome: 'accepted' });
    expect(await gateway.statuses([signatureIn(bytes)])).toMatchObject([{ state: 'confirmed' }]);
  });

  it('refused by preflight, with the reason of the node', async () => {
    const { blockhash } = await app.connection.getLatestBlockhash();
    const bytes = transferBytes(Keypair.generate(), SystemProgram.programId, 1, blockhash);
    expect(await gateway.submit(bytes)).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(/simulation failed/),
    });
  });

  it('refused for a signature that is wrong, and for bytes that are no transaction', async () => {
    const bytes = Buffer.from(await someTransfer());
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    expect(await gateway.submit(bytes)).toMatchObject({ outcome: 'refused' });
    expect(await gateway.submit(Buffer.from([1, 2, 3]))).toMatchObject({ outcome: 'refused' });
  });

  it('a blockhash that the node does not know is no refusal', async () => {
    const bytes = transferBytes(await app.network.funded(), Keypair.generate().publicKey, 1_000_000, randomAddress());
    expect(await gateway.submit(bytes)).toEqual({ outcome: 'unknown' });
  });
});

describe('what is read', () => {
  it('more than 100 accounts, in pages of 100, in their order', async () => {
    const [ticket] = await moreTickets(app, app.users[0]);
    if (!ticket) throw new Error('no ticket');
    const addresses = Array.from({ length: 205 }, (_, index) => (index % 50 === 3 ? ticket.permit : randomAddress()));
    app.proxy.reset();
    const permits = await gateway.permits(addresses);
    expect(app.proxy.count('getMultipleAccounts')).toBe(3);
    expect(permits.map((permit) => requireReadable(permit)?.owner)).toEqual(
      addresses.map((address) => (address === ticket.permit ? app.users[0].wallet_address : undefined)),
    );
  });

  it('an account of another program is no permit', async () => {
    const wallet = await app.network.funded();
    expect(await gateway.permits([wallet.publicKey.toBase58()])).toEqual([undefined]);
  });

  it('a node that lags is asked again until it has come to the slot', async () => {
    const [ticket] = await moreTickets(app, app.users[0]);
    if (!ticket) throw new Error('no ticket');
    const slot = (await app.connection.getSlot()) + 2;
    const [permit] = await gateway.permits([ticket.permit], slot);
    expect(requireReadable(permit)?.slot).toBeGreaterThanOrEqual(slot);
    await expect(gateway.permits([ticket.permit], slot + 1_000_000)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('a blockhash: recent or not, remembered for a moment when it is', async () => {
    const { blockhash } = await app.connection.getLatestBlockhash();
    expect(await gateway.blockhash(blockhash)).toMatchObject({ recent: true });
    expect(await gateway.blockhash(blockhash)).toMatchObject({ recent: true });
    expect(app.proxy.count('isBlockhashValid')).toBe(1);
    const unknown = randomAddress();
    expect(await gateway.blockhash(unknown)).toMatchObject({ recent: false });
    expect(await gateway.blockhash(unknown)).toMatchObject({ recent: false });
    expect(app.proxy.count('isBlockhashValid')).toBe(3);
  });

  it('statuses: unknown, processing, confirmed, failed; an error that is not confirmed yet is no failure', async () => {
    const status = (err: unknown, confirmationStatus: string) => {
      return { slot: 7, confirmations: 1, err, confirmationStatus };
    };
    const value = [
      null,
      status(null, 'processed'),
      status('AccountInUse', 'processed'),
      status(null, 'confirmed'),
      status(null, 'finalized'),
      status({ InstructionError: [0, { Custom: 1 }] }, 'confirmed'),
      status('AccountInUse', 'confirmed'),
      status({ InstructionError: [2, { Custom: errorCode('WrongListing') }] }, 'confirmed'),
      status({ InstructionError: [2, { Custom: 6_999 }] }, 'confirmed'),
    ];
    app.proxy.setRule(only({ reply: { result: { context: { slot: 9 }, value } } }));
    expect(await gateway.statuses(value.map(() => signatureIn(Buffer.alloc(65))))).toEqual([
      { state: 'unknown', slot: 9 },
      { state: 'processing', slot: 7, failing: false },
      { state: 'processing', slot: 7, failing: true },
      { state: 'confirmed', slot: 7, final: false },
      { state: 'confirmed', slot: 7, final: true },
      { state: 'failed', slot: 7, reason: '{"InstructionError":[0,{"Custom":1}]}' },
      { state: 'failed', slot: 7, reason: 'AccountInUse' },
      { state: 'failed', slot: 7, reason: expect.stringMatching(/^WrongListing: The permit has another listing/) },
      { state: 'failed', slot: 7, reason: '{"InstructionError":[2,{"Custom":6999}]}' },
    ]);
    app.proxy.reset();
    expect(await gateway.statuses([])).toEqual([]);
    expect(app.proxy.calls).toEqual([]);
  });

  it('a status that says nothing of an error is no status, and neither is an answer of another shape', async () => {
    const signature = signatureIn(Buffer.alloc(65));
    for (const value of [[{ slot: 7, confirmationStatus: 'confirmed' }], [7], 'none']) {
      app.proxy.setRule(only({ reply: { result: { context: { slot: 9 }, value } } }));
      const asked = gateway.statuses([signature]);
      await expect(asked).rejects.toMatchObject(UNAVAILABLE);
      await expect(asked).rejects.toSatisfy(isBadAnswer);
    }
  });

  it('an answer with more or fewer statuses than asked for is not used: each request gets its own status', async () => {
    const [lost, failed] = [newSignature(), newSignature()];
    // leaves out a signature that it does not know, where it is asked for several
    const statusOf = (asked: string) =>
      asked === failed ? { slot: 7, err: 'AccountInUse', confirmationStatus: 'confirmed' } : null;
    app.proxy.setRule(({ params }): Fate => {
      const [asked] = params as [string[]];
      const value = asked.length > 1 ? asked.map(statusOf).filter((status) => status !== null) : asked.map(statusOf);
      return { reply: { result: { context: { slot: 9 }, value } } };
    });
    const together = await Promise.all([gateway.statuses([lost]), gateway.statuses([failed])]);
    expect(together).toMatchObject([[{ state: 'unknown' }], [{ state: 'failed' }]]);
    expect(app.proxy.calls.map(({ params }) => params[0])).toEqual([[lost, failed], [lost], [failed]]);
    await expect(gateway.statuses([lost, failed])).rejects.toSatisfy(isBadAnswer);
  });

  it('at `confirmed`, statuses from the whole history', async () => {
    const bytes = await someTransfer();
    app.proxy.reset();
    await gateway.blockhash(randomAddress());
    await gateway.latestBlockhash();
    await gateway.statuses([signatureIn(bytes)]);
    await gateway.permitTransfers(signatureIn(bytes));
    await gateway.submit(bytes, 1);
    const options = app.proxy.calls.map(({ method, params }) => [method, params.at(-1)]);
    expect(options).toEqual([
      ['isBlockhashValid', { commitment: 'confirmed' }],
      ['getLatestBlockhash', { commitment: 'confirmed' }],
      ['getSignatureStatuses', { searchTransactionHistory: true }],
      ['getTransaction', { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }],
      ['sendTransaction', { encoding: 'base64', preflightCommitment: 'confirmed', minContextSlot: 1 }],
    ]);
  });

  it.each<[string, boolean, Fate]>([
    ['an error about what was asked', true, { reply: { error: { code: -32602, message: 'Invalid param' } } }],
    ['a node that is behind the cluster', false, { reply: { error: { code: -32005, message: 'Node is behind' } } }],
    ['an answer that is no JSON-RPC', false, { reply: { error: { code: 'x' } } } as unknown as Fate],
    ['no answer', false, 'away'],
  ])('%s: a bad answer is %s', async (_, bad, fate) => {
    app.proxy.setRule(only(fate));
    const error = await gateway.genesisHash().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(isBadAnswer(error)).toBe(bad);
  });
});

interface Given {
  context: { slot: unknown };
  value: ({ owner: unknown; data: unknown } | null)[];
}

/** The node's page with its second account bent. */
function bend(change: (account: { owner: unknown; data: unknown }) => unknown): void {
  app.proxy.setRule(
    only((reply): RpcReply => {
      const { context, value } = reply.result as Given;
      return { result: { context, value: value.map((each, at) => (at === 1 && each ? change(each) : each)) } };
    }, 'getMultipleAccounts'),
  );
}

const PERMIT = {
  event: randomAddress(),
  ticket_id: new Uint8Array(32),
  owner: randomAddress(),
  state: 0,
  marketplace: randomAddress(),
  price: 0n,
  listing: 0n,
  bump: 255,
};

const encoded = (bytes: Uint8Array) => [Buffer.from(bytes).toString('base64'), 'base64'];

function flipped(data: unknown, offset: number): unknown {
  const bytes = Buffer.from((data as string[])[0] ?? '', 'base64');
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  return encoded(bytes);
}

describe('permits are read each for itself', () => {
  const EVENT = { event_id: new Uint8Array(32), organiser: PERMIT.owner, closable_from: 0n, bump: 1 };
  const data = (bytes: Uint8Array) => (account: object) => ({ ...account, data: encoded(bytes) });

  it.each<[string, 'other' | 'malformed', RegExp, (account: { owner: unknown; data: unknown }) => unknown]>([
    ['another discriminator', 'malformed', /no Permit/, (a) => ({ ...a, data: flipped(a.data, 0) })],
    ['another length', 'malformed', /Permit of 156 bytes/, (a) => data(longer())(a)],
    ['no data', 'malformed', /no Permit/, data(Buffer.alloc(0))],
    ['an unknown state', 'malformed', /permit state 7/, data(encodeAccount('Permit', { ...PERMIT, state: 7 }))],
    ['another encoding', 'malformed', /form/, (a) => ({ ...a, data: ['z', 'base58'] })],
    ['no owner', 'malformed', /form/, (a) => ({ data: a.data })],
    ['a number in its place', 'malformed', /form/, () => 7],
    ['another owner', 'other', /belongs to the program/, (a) => ({ ...a, owner: randomAddress() })],
    ['the System program, and data', 'other', /the program 1111/, (a) => ({ ...a, owner: '1'.repeat(32) })],
    ['an Event in its place', 'other', /kind Event/, data(encodeAccount('Event', EVENT))],
  ])('%s: this one is unreadable (%s), the other one is read', async (_, kind, reason, change) => {
    bend(change);
    const [first, second] = await gateway.permits([sound.permit, bad.permit]);
    expect(first).toMatchObject({ owner: app.users[0].wallet_address, state: 'held' });
    expect(second).toEqual({ unreadable: kind, reason: expect.stringMatching(reason) });
  });

  function longer(): Buffer {
    return Buffer.concat([encodeAccount('Permit', PERMIT), Buffer.alloc(1)]);
  }

  it('lamports that somebody sent to an address before its account is made are no account', async () => {
    bend(() => ({ owner: '1'.repeat(32), data: ['', 'base64'] }));
    expect(await gateway.permits([sound.permit, bad.permit])).toMatchObject([{ state: 'held' }, undefined]);
  });

  it('an address that is none is not sent to the node, which would refuse the whole page', async () => {
    const readings = await gateway.permits(['no address', sound.permit, 'l'.repeat(44)]);
    expect(readings).toMatchObject([{ unreadable: 'malformed' }, { state: 'held' }, { unreadable: 'malformed' }]);
    expect(app.proxy.calls.map(({ params }) => params[0])).toEqual([[sound.permit]]);
  });

  it('a page with more or fewer accounts than asked for is not used', async () => {
    app.proxy.setRule(
      only(({ result }) => {
        const { context, value } = result as Given;
        return { result: { context, value: value.slice(1) } };
      }, 'getMultipleAccounts'),
    );
    await expect(gateway.permits([sound.permit, bad.permit])).rejects.toSatisfy(isBadAnswer);
  });

  it.each([1e300, -1, 1.5, '7', null])('a slot of %s is no slot', async (slot) => {
    app.proxy.setRule(
      only(({ result }) => ({ result: { ...(result as Given), context: { slot } } }), 'getMultipleAccounts'),
    );
    await expect(gateway.permits([sound.permit])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('whoever was given the address: a malformed account is the node’s fault, another account is no permit', () => {
    const reason = 'for a test';
    expect(requireReadable(undefined)).toBeUndefined();
    expect(requireReadable({ unreadable: 'other', reason })).toBeUndefined();
    expect(() => requireReadable({ unreadable: 'malformed', reason })).toThrow(
      expect.objectContaining({ code: 'unavailable', retryAfter: 5 }),
    );
  });
});

describe('other accounts', () => {
  it('events are read each for itself', async () => {
    expect(await gateway.events([sound.tixEventId, sound.permit, randomAddress()])).toMatchObject([
      { event_id: expect.anything() },
      { unreadable: 'other' },
      undefined,
    ]);
  });

  it('a configuration that can not be decoded is the node’s fault', async () => {
    expect(await gateway.config()).toMatchObject({ authority: app.chain.authority });
    const { address } = configAddress(app.chain.programId);
    app.proxy.setRule(({ params }) => {
      expect(params[0]).toEqual([address]);
      const account = { owner: app.chain.programId, data: ['AAAA', 'base64'] };
      return { reply: { result: { context: { slot: 1 }, value: [account] } } };
    });
    await expect(gateway.config()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

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

const signaturesOf = (all: readonly { signature: string }[]) => all.map(({ signature }) => signature);
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
    expect(signaturesOf(transactions)).toEqual(signaturesOf(entries).toReversed());
    expect(app.proxy.calls).toHaveLength(2);
  });

  it('a cursor that the node has pruned: the search ends at its slot', async () => {
    const recent = [entry(102), entry(100)];
    serve([...recent, ...Array.from({ length: 5_000 }, () => entry(99))]);
    const { transactions, complete } = await gateway.programSignatures(CURSOR);
    expect(signaturesOf(transactions)).toEqual(signaturesOf(recent).toReversed());
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

  it('where the node answers with an error, it is unavailable, and the log names method and code', async () => {
    app.proxy.setRule(only({ reply: { error: { code: -32603, message: 'Internal error' } } }));
    await expect(gateway.programSignatures(CURSOR)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'getSignaturesForAddress: -32603 Internal error' },
    });
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
});

describe('the addresses of a transaction', () => {
  const message = { accountKeys: [randomAddress()] };

  const executed = (accountKeys: unknown[], meta: unknown, more = {}) => ({
    transaction: { message: { accountKeys, ...more } },
    meta,
  });
  const fault = (code: number, message: string): RpcReply => ({ error: { code, message } });

  it.each<[string, RpcReply]>([
    ['null', { result: null }],
    ['a version that it does not serve', fault(-32015, 'Transaction version (1) is not supported')],
    ['an error of its own', fault(-32603, 'Internal error')],
    ['another error', fault(-32011, 'Transaction history is not available')],
    ['a text', { result: 'transaction' }],
    ['an unknown shape', { result: { version: 1, transaction: ['AQ==', 'base64'] } }],
    ['keys with their flags', { result: executed([{ pubkey: randomAddress() }], null) }],
    ['keys that are none', { result: executed(['\0'], null) }],
    [
      'lookup tables without their addresses',
      { result: executed([randomAddress()], {}, { addressTableLookups: [{}] }) },
    ],
    [
      'loaded addresses that are none',
      { result: executed([randomAddress()], { loadedAddresses: { writable: ['\0'], readonly: [] } }) },
    ],
  ])('where the node gives %s, they are not known', async (_, reply) => {
    app.proxy.setRule(only({ reply }));
    expect(await gateway.addressesIn(newSignature())).toBeUndefined();
    expect(app.proxy.calls).toHaveLength(1);
  });

  it('those of the message and those loaded from tables', async () => {
    const [writable, readonly] = [randomAddress(), randomAddress()];
    const meta = { loadedAddresses: { writable: [writable], readonly: [readonly] } };
    app.proxy.setRule(only({ reply: { result: { transaction: { message }, meta } } }));
    expect(await gateway.addressesIn(newSignature())).toEqual([...message.accountKeys, writable, readonly]);
  });

  it('a transaction without tables may come without loaded addresses', async () => {
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

describe('submissions', () => {
  let fresh: ChainGateway;
  beforeEach(() => {
    // what a gateway knows about its node lives as long as the gateway
    fresh = createGateway({ rpcUrl: app.proxy.url, programId: app.chain.programId });
  });

  async function transfers(count: number): Promise<Uint8Array[]> {
    const from = await app.network.funded();
    const { blockhash } = await app.connection.getLatestBlockhash();
    app.proxy.reset();
    return Array.from({ length: count }, (_, at) =>
      transferBytes(from, Keypair.generate().publicKey, 1_000_000 + at, blockhash),
    );
  }

  function submitAll(all: readonly Uint8Array[]) {
    return Promise.all(all.map((bytes) => fresh.submit(bytes)));
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

  it.each<[string, unknown, number]>([
    ['by one error for all', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } }, 200],
    ['by an error to nobody', [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches' } }], 200],
    ['by its status', 'Batch requests are not allowed', 403],
  ])(
    'a node that refuses batches %s, gets the transactions one by one, and no further batch',
    async (_, body, status) => {
      const all = await transfers(3);
      app.proxy.setBatchAnswer(() => body, { status, unread: true });
      expect(await submitAll(all)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
      expect(app.proxy.batches).toHaveLength(1);
      expect(await submitAll(await transfers(2))).toEqual([ACCEPTED, ACCEPTED]);
      expect(app.proxy.batches).toHaveLength(0);
    },
  );
});
