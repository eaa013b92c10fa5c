import { setTimeout as sleep } from 'node:timers/promises';
import { ComputeBudgetProgram, Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { keypairFile } from '../../src/chain/cluster/test-cluster.ts';
import { type ChainApp, oneTicket, startChainApp, type TestTicket, type User } from '../../support/chain-app.ts';
import { callFan } from '../../support/partner.ts';
import type { RpcReply } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  claim,
  fundedMarketplace,
  listing,
  type Marketplace,
  onChain,
  signatureOf,
  signedBytes,
  termsOf,
  transfer,
} from '../../support/ticket-transactions.ts';
import { type ForeignCluster, HAS_CLUSTER, openForeignCluster } from './foreign-cluster.ts';
import { oneOfTwoLags } from './lagging-node.ts';
import { landBytes } from './land-bytes.ts';
import { setUpProgram } from './set-up-program.ts';

/** What a real cluster does now and then: dear, slow, behind, away. The tests run in this order. */
const admin = Keypair.generate();
const program = Keypair.generate();
const keys = { program, admin, adminFile: keypairFile(admin) };
const FINAL_WITHIN = { timeout: 60_000, interval: 500 };

describe.skipIf(!HAS_CLUSTER)('the weather of a real validator', { timeout: 300_000 }, () => {
  let network: ForeignCluster;
  let app: ChainApp;
  let market: Marketplace;
  let seller: User;
  let buyer: User;

  beforeAll(async () => {
    network = await openForeignCluster();
    const env = { SANDBOX_PROGRAM_ID: program.publicKey.toBase58() };
    try {
      app = await startChainApp({ network, env, prepare: (bare) => setUpProgram(bare, 'sandbox', keys) });
      market = await fundedMarketplace(app);
      [seller, buyer] = app.users;
    } catch (error) {
      await network.remove();
      throw error;
    }
  }, 420_000);
  afterEach(() => app.proxy.reset());
  afterAll(() => app?.stop());

  const land = (bytes: Uint8Array) => landBytes(app.chain.gateway, bytes);
  const cosign = (bytes: Buffer) => authorizeListing(app, seller, 'list', [bytes]);
  const finalSlot = () => network.connection.getSlot('finalized');

  async function listed(): Promise<TestTicket> {
    const ticket = await oneTicket(app, seller);
    await land(signedBytes(await cosign(await listing(app, market, ticket, seller.wallet_address))));
    return ticket;
  }

  async function holds(user: User, ticket: TestTicket): Promise<boolean> {
    const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
    return (body.tickets as { id: string }[]).some(({ id }) => id === ticket.id);
  }

  it('priority fees: a listing and a claim that pay for their place land, and cost what they bid', async () => {
    const ticket = await oneTicket(app, seller);
    const units = 60_000;
    const before = [
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 500_000 }),
    ];
    const bytes = await listing(app, market, ticket, seller.wallet_address, { before });
    const signature = await land(signedBytes(await cosign(bytes)));
    const found = await network.connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    // three signatures, and half a lamport for each unit
    expect(found?.meta?.fee).toBe(3 * 5_000 + units / 2);
    const sale = await transfer(app, market, ticket, buyer.wallet_address, { before });
    expect((await claim(app, buyer, [sale])).status).toBe(200);
    expect(await holds(buyer, ticket)).toBe(true);
  });

  it('processed before confirmed: a claim is answered only when its transaction is confirmed', async () => {
    const ticket = await listed();
    const sale = await transfer(app, market, ticket, buyer.wallet_address);
    const seen: string[] = [];
    app.proxy.setRule(({ method }) => {
      if (method !== 'getSignatureStatuses') return 'pass';
      return (reply: RpcReply) => {
        const { value } = reply.result as { value: ({ confirmationStatus: string } | null)[] };
        for (const status of value) seen.push(status?.confirmationStatus ?? 'unknown');
        return reply;
      };
    });
    // the cluster shows it as processed for some 0.4 s: sent by somebody else, and claimed at once
    await network.connection.sendRawTransaction(sale, { skipPreflight: true });
    const { value: early } = await network.connection.getSignatureStatus(signatureOf(sale));
    const answer = await claim(app, buyer, [sale]);
    expect(answer.status === 200 || answer.status === 503, JSON.stringify(answer.body)).toBe(true);
    if (answer.status === 200) expect(['confirmed', 'finalized']).toContain(seen.at(-1));
    else expect(answer.headers.get('retry-after')).toBe('5');
    expect(['processed', undefined]).toContain(early?.confirmationStatus);
    await expect.poll(async () => (await claim(app, buyer, [sale])).status, FINAL_WITHIN).toBe(200);
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address });
    expect(await holds(buyer, ticket)).toBe(true);
  });

  it('a sale that went past this service is found by reconciling', async () => {
    const ticket = await listed();
    await land(await transfer(app, market, ticket, buyer.wallet_address));
    expect(await holds(seller, ticket)).toBe(true);
    await expect
      .poll(async () => {
        await reconcile(app.context(), 'sandbox');
        return holds(buyer, ticket);
      }, FINAL_WITHIN)
      .toBe(true);
    expect(await holds(seller, ticket)).toBe(false);
  });

  it('an expired blockhash: listing and claim are refused as such; built again, both land', async () => {
    const ticket = await oneTicket(app, seller);
    const onSale = await listed();
    const { blockhash } = await network.connection.getLatestBlockhash('confirmed');
    const late = await listing(app, market, ticket, seller.wallet_address, { blockhash });
    const cosigned = signedBytes(
      await cosign(await listing(app, market, ticket, seller.wallet_address, { blockhash })),
    );
    const lateSale = await transfer(app, market, onSale, buyer.wallet_address, { blockhash });
    const valid = async () => (await network.connection.isBlockhashValid(blockhash, { commitment: 'confirmed' })).value;
    await expect.poll(valid, { timeout: 180_000, interval: 2_000 }).toBe(false);

    const refused = await cosign(late);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'blockhash_expired']);
    await expect(land(cosigned)).rejects.toThrow(/Blockhash not found|never/);
    const claimed = await claim(app, buyer, [lateSale]);
    expect([claimed.status, claimed.headers.get('x-error-code')]).toEqual([400, 'blockhash_expired']);
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await onChain(app, onSale)).toMatchObject({ state: 'listed' });

    await land(signedBytes(await cosign(await listing(app, market, ticket, seller.wallet_address))));
    const sale = await transfer(app, market, onSale, buyer.wallet_address);
    expect((await claim(app, buyer, [sale])).status).toBe(200);
  });

  it('of two nodes behind one URL one lags by 13 seconds: nothing is lost, and what cannot be known yet is a 404 or 503 until it can', async () => {
    const ticket = await oneTicket(app, seller);
    const since = await network.connection.getSlot('confirmed');
    await expect.poll(finalSlot, FINAL_WITHIN).toBeGreaterThan(since);
    app.proxy.setRule(oneOfTwoLags());
    const statuses: number[] = [];
    /** Repeats a request as a partner does, until it is answered with 200. */
    const until200 = async <Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const answer = await ask();
        statuses.push(answer.status);
        if (answer.status === 200) return answer;
        expect([404, 503], JSON.stringify(answer)).toContain(answer.status);
        await sleep(1_000);
      }
    };
    const bytes = await listing(app, market, ticket, seller.wallet_address);
    const signed = signedBytes(await until200(() => cosign(bytes)));
    await landBytes(app.chain.gateway, signed);
    const sale = await transfer(app, market, ticket, buyer.wallet_address);
    await until200(() => claim(app, buyer, [sale]));
    // the same again is the same claim
    await until200(() => claim(app, buyer, [sale]));
    app.proxy.reset();
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    expect(await holds(buyer, ticket)).toBe(true);
    console.info(`answers of a service with a lagging node: ${statuses.join(' ')}`);
  });

  it('the validator stops and starts again in the middle: 503 meanwhile, tickets go on, and the claim is settled', async () => {
    const { power } = network;
    if (!power) return expect(process.env.FOREIGN_RPC_URL).toBeDefined();
    const ticket = await listed();
    const since = await network.connection.getSlot('confirmed');
    // what only this validator has confirmed may be gone after a stop
    await expect.poll(finalSlot, FINAL_WITHIN).toBeGreaterThan(since + 1);
    const next = await oneTicket(app, seller);
    const unsent = await listing(app, market, next, seller.wallet_address);
    const terms = await termsOf(app, ticket);
    const sale = await transfer(app, market, ticket, buyer.wallet_address, { terms });
    await power.off();

    const cut = await cosign(unsent);
    expect([cut.status, cut.headers.get('x-error-code')]).toEqual([503, 'unavailable']);
    expect(cut.headers.get('retry-after')).toBe('5');
    expect((await claim(app, buyer, [sale])).status).toBe(503);
    expect(await holds(seller, ticket)).toBe(true);
    const ready = await (await fetch(`${app.origin}/readyz`)).json();
    expect(ready).toEqual({ status: 'ready', degraded: ['chain (sandbox): unreachable'] });

    await power.on();
    const back = async () => (await (await fetch(`${app.origin}/readyz`)).json()).degraded;
    await expect.poll(back, FINAL_WITHIN).toBeUndefined();
    // the node shows an older state for a moment
    const again = await transfer(app, market, ticket, buyer.wallet_address, { terms });
    await expect.poll(async () => (await claim(app, buyer, [again])).status, FINAL_WITHIN).toBe(200);
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address });
    expect(await holds(buyer, ticket)).toBe(true);
    await reconcile(app.context(), 'sandbox');
    expect(await holds(buyer, ticket)).toBe(true);
  });
});
