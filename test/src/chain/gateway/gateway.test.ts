import { Keypair, SystemProgram } from '@solana/web3.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signatureIn, transferBytes } from '../../../../packages/localnet/test/test-network.ts';
import { isBadAnswer } from '../../../../src/chain/gateway/ask.ts';
import { type ChainGateway, createGateway } from '../../../../src/chain/gateway/gateway.ts';
import { createJsonRpc } from '../../../../src/chain/gateway/json-rpc.ts';
import { requireReadable } from '../../../../src/chain/gateway/read-accounts.ts';
import { moreTickets } from '../../../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

let gateway: ChainGateway;
const app = await testChainApp();
beforeAll(async () => {
  gateway = app.chain.gateway;
});
afterEach(() => app.proxy.reset());

/** This fate for the first calls, then everything passes. */
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

  it('are not repeated after an answer that would be the same again', async () => {
    app.proxy.setRule(only({ status: 403 }));
    await expect(gateway.genesisHash()).rejects.toMatchObject(UNAVAILABLE);
    expect(app.proxy.count('getGenesisHash')).toBe(1);
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
    const impatient = createJsonRpc(app.proxy.url, { timeout: 150, attempts: 2 });
    const { took, value } = await timed(() => impatient('getSlot', []).catch((error: Error) => error.message));
    expect(value).toBe('no answer within 150 ms');
    expect(took).toBeGreaterThan(290);
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
    const status = (err: unknown, confirmationStatus: string) => ({
      slot: 7,
      confirmations: 1,
      err,
      confirmationStatus,
    });
    const value = [
      null,
      status(null, 'processed'),
      status('AccountInUse', 'processed'),
      status(null, 'confirmed'),
      status(null, 'finalized'),
      status({ InstructionError: [0, { Custom: 1 }] }, 'confirmed'),
    ];
    app.proxy.setRule(only({ reply: { result: { context: { slot: 9 }, value } } }));
    expect(await gateway.statuses(value.map(() => signatureIn(Buffer.alloc(65))))).toEqual([
      { state: 'unknown', slot: 9 },
      { state: 'processing', slot: 7, failing: false },
      { state: 'processing', slot: 7, failing: true },
      { state: 'confirmed', slot: 7, final: false },
      { state: 'confirmed', slot: 7, final: true },
      { state: 'failed', slot: 7, reason: '{"InstructionError":[0,{"Custom":1}]}' },
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

  it('the gateway to a port where nobody listens is unavailable', async () => {
    const nobody = createGateway({ rpcUrl: 'http://127.0.0.1:9', programId: app.chain.programId });
    await expect(nobody.genesisHash()).rejects.toMatchObject(UNAVAILABLE);
  });
});
