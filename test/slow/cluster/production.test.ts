import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProgramCode } from '../../../packages/ticket-program/src/local-program.ts';
import { deployProgram } from '../../../src/chain/cluster/deploy-program.ts';
import { openCluster } from '../../../src/chain/cluster/open-cluster.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../src/inventory/end-sales.ts';
import { issueRun } from '../../../src/inventory/issuing/issue-run.ts';
import { closeTurn, issueTurn, putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { storeIssueWhen } from '../../../src/inventory/issuing/issue-when.ts';
import { readCosts } from '../../../src/inventory/issuing/read-costs.ts';
import { revokeOwnGrants } from '../../../src/oauth/grant/own-grants.ts';
import { idOf, type Uuid } from '../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { keypairFile, runChain, signerOf } from '../../src/chain/cluster/test-cluster.ts';
import { eventRow, ticketRow, typeRow } from '../../src/inventory/stage.ts';
import { rows, type User } from '../../support/chain-app.ts';
import { callFan } from '../../support/partner.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  listing,
  type Marketplace,
  onChain,
  signedBytes,
  transfer,
} from '../../support/ticket-transactions.ts';
import { HAS_CLUSTER } from './foreign-cluster.ts';
import { landBytes } from './land-bytes.ts';
import { type ProductionApp, startProductionApp } from './production-app.ts';

/**
 * Production on a cluster that nobody here wrote, from an empty address to a sold ticket and beyond. The tests run in
 * this order.
 */
const admin = Keypair.generate();
const keys = { program: Keypair.generate(), admin, adminFile: keypairFile(admin) };
const SELLER = '+12025550101';
const BUYER = '+12025550102';
const TICKETS = 24;
/** Closed in one transaction. */
const PAST_TICKETS = 5;

describe.skipIf(!HAS_CLUSTER)('production on a real validator', { timeout: 300_000 }, () => {
  let app: ProductionApp;
  let market: Marketplace;
  let seller: User;
  let buyer: User;

  beforeAll(async () => {
    app = await startProductionApp(keys);
    market = await fundedMarketplace(app);
  }, 420_000);
  afterAll(() => app?.stop());

  const chain = (...words: string[]) => runChain(app, [...words, '--mode', 'production']);
  const land = (bytes: Uint8Array) => landBytes(app.chain.gateway, bytes);
  const list = (bytes: Buffer) => authorizeListing(app, seller, 'list', [bytes]);
  const build = async (reference: string) => listing(app, market, await app.ticket(reference), seller.wallet_address);
  const stateOf = async (reference: string) => onChain(app, await app.ticket(reference));

  async function ticketsOf(user: User): Promise<string[]> {
    const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
    return (body.tickets as { id: string }[]).map(({ id }) => id);
  }

  it('import: an event, its types and tickets for holders who have never signed in', async () => {
    const tickets = Array.from({ length: TICKETS }, (_, at) =>
      ticketRow('gala', 'standing', `t${at}`, { holder_phone: at % 2 ? BUYER : SELLER }),
    );
    const given = [eventRow('gala'), typeRow('gala', 'standing'), ...tickets];
    expect((await app.bring(given)).map(({ outcome }) => outcome)).toEqual(given.map(() => 'created'));
    expect((await app.bring(given)).map(({ outcome }) => outcome)).toEqual(given.map(() => 'unchanged'));
    seller = await app.fan(SELLER);
    buyer = await app.fan(BUYER);
  });

  it('issue: the permits come onto the chain in batches, each to the wallet of its holder', async () => {
    await putOnchain(app.context(), 'production');
    for (const [reference, holder] of [
      ['t0', seller],
      ['t1', buyer],
    ] as const) {
      expect(await stateOf(reference)).toMatchObject({ owner: holder.wallet_address, state: 'held' });
    }
    expect(
      await rows(
        app,
        'select 1 from permit p join ticket t on t.id = p.ticket_id where p.issued_at is null and t.reference is not null',
      ),
    ).toEqual([]);
    const [{ sent } = { sent: 0 }] = await rows<{ sent: number }>(
      app,
      "select count(*)::int as sent from issue_transaction where mode = 'production'",
    );
    expect(sent).toBeGreaterThan(1);
    expect(sent).toBeLessThan(TICKETS);
  });

  it('the holders see their tickets at the first sign-in', async () => {
    expect(await ticketsOf(seller)).toHaveLength(TICKETS / 2);
    expect(await ticketsOf(buyer)).toHaveLength(TICKETS / 2);
  });

  it('list, cancel, list again, and sell: the claim moves permit and ticket', async () => {
    const ticket = await app.ticket('t0');
    await land(signedBytes(await list(await build('t0'))));
    expect(await stateOf('t0')).toMatchObject({ state: 'listed', marketplace: market.address });
    const cancel = await cancellation(app, market, ticket, seller.wallet_address);
    await land(signedBytes(await authorizeListing(app, seller, 'cancel', [cancel])));
    await land(signedBytes(await list(await build('t0'))));
    const sale = await transfer(app, market, ticket, buyer.wallet_address);
    const answer = await claim(app, buyer, [sale]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await stateOf('t0')).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    expect(await ticketsOf(buyer)).toContain(ticket.id);
    expect(await ticketsOf(seller)).not.toContain(ticket.id);
  });

  it('a sale past this service is found by reconciling', async () => {
    const ticket = await app.ticket('t2');
    await land(signedBytes(await list(await build('t2'))));
    await land(await transfer(app, market, ticket, buyer.wallet_address));
    await expect
      .poll(
        async () => {
          await reconcile(app.context(), 'production');
          return (await ticketsOf(buyer)).includes(ticket.id);
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(true);
  });

  it('on demand: of 1,000 tickets of 400 fans, only those of the 40 with an app come onto the chain, and each is sold', async () => {
    await storeIssueWhen(app.context());
    const phones = Array.from({ length: 400 }, (_, at) => `+1303555${1000 + at}`);
    const references = Array.from({ length: 1_000 }, (_, at) => `many-${at}`);
    await app.bring([eventRow('many'), typeRow('many', 'seats')]);
    const tickets = references.map((reference, at) => {
      return ticketRow('many', 'seats', reference, { holder_phone: phones[at % phones.length] });
    });
    expect((await app.bring(tickets)).filter(({ outcome }) => outcome !== 'created')).toEqual([]);
    const lamports = () => app.connection.getBalance(new PublicKey(app.chain.payer), 'confirmed');
    const before = await lamports();
    let isOver = false;
    const issuing = (async () => {
      const run = issueRun(app.context(), 'production');
      while (!isOver) if (!(await issueTurn(run)).moved) await sleep(300);
    })();
    const waits: number[] = [];
    const sell = async (phone: string, at: number) => {
      const user = await app.fan(phone);
      await user.tokens();
      const consented = performance.now();
      for (const reference of references.filter((_, index) => index % phones.length === at)) {
        const ticket = await app.ticket(reference);
        const bytes = await listing(app, market, ticket, user.wallet_address);
        const signed = await authorizeListing(app, user, 'list', [bytes]);
        if (waits.length === at) waits.push(performance.now() - consented);
        await land(signedBytes(signed));
        const sold = await claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)]);
        expect(sold.status, JSON.stringify(sold.body)).toBe(200);
      }
    };
    for (const [at, phone] of phones.slice(0, 40).entries()) await sell(phone, at);
    isOver = true;
    await issuing;
    const permits = await Promise.all(references.map(async (reference) => (await app.ticket(reference)).permit));
    const onchain = (await app.chain.gateway.permits(permits)).filter((account) => account !== undefined);
    expect(onchain).toHaveLength(120);
    const spent = before - (await lamports());
    const slowest = Math.round(Math.max(...waits));
    console.info(`120 of 1,000 permits: ${spent} lamports; from consent to a signed listing at most ${slowest} ms`);
    expect(slowest).toBeLessThan(10_000);
    app.config.issuing.onDemand = false;
    await rows(app, "delete from waiting_permit where retry_at is null and mode = 'production'");
    await storeIssueWhen(app.context());
  });

  it('rotate with listings under way: both authorities finish them; retire ends the old one', async () => {
    const cosigned = signedBytes(await list(await build('t4')));
    const unseen = await build('t6');
    const stale = await build('t8');
    const rotated = await chain('rotate', '--keypair', keys.adminFile);
    expect(rotated, rotated.stderr).toMatchObject({ code: 0 });
    expect((await chain('status')).stdout).toContain('are still accepted');
    await land(cosigned);
    await land(signedBytes(await list(unseen)));
    expect([(await stateOf('t4')).state, (await stateOf('t6')).state]).toEqual(['listed', 'listed']);
    const retired = await chain('retire', '--keypair', keys.adminFile);
    expect(retired, retired.stderr).toMatchObject({ code: 0 });
    const refused = await list(stale);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'wrong_account']);
    await land(signedBytes(await list(await build('t8'))));
    // what was listed under the old one is sold
    const sale = await transfer(app, market, await app.ticket('t4'), buyer.wallet_address);
    expect((await claim(app, buyer, [sale])).status).toBe(200);
  });

  it('permits are issued under the new authority', async () => {
    expect(await app.bring([ticketRow('gala', 'standing', 'late', { holder_phone: SELLER })])).toMatchObject([
      { outcome: 'created' },
    ]);
    await putOnchain(app.context(), 'production');
    expect(await stateOf('late')).toMatchObject({ owner: seller.wallet_address, state: 'held' });
  });

  it('upgrade: the program goes on with other code and back; permits and configuration stay', async () => {
    const cluster = await openCluster(app.context(), 'production');
    const code = Buffer.concat([readProgramCode(), Uint8Array.of(1)]);
    await deployProgram(cluster, app.runtime.signer, { code, admin: signerOf(admin), report: () => {} });
    expect((await chain('status')).stdout).toContain('The deployed code is not that of this release.');
    const deployed = await chain('deploy', '--keypair', keys.adminFile);
    expect(deployed, deployed.stderr).toMatchObject({ code: 0 });
    const status = await chain('status');
    expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/the code of this release/) });
    console.info(status.stdout);
    expect(await stateOf('t6')).toMatchObject({ state: 'listed' });
  });

  it('close: an event that is over leaves its mark, its permits leave nothing, and what the books say came back', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const references = Array.from({ length: PAST_TICKETS }, (_, at) => `past${at}`);
    Object.assign(app.config.issuing, { closeAfter: 1, closableAfter: -3_600 });
    await app.bring([
      eventRow('past', { starts_at: hoursAgo(3), ends_at: hoursAgo(2) }),
      typeRow('past', 'standing'),
      ...references.map((reference) => ticketRow('past', 'standing', reference, { holder_phone: SELLER })),
    ]);
    await putOnchain(app.context(), 'production');
    const [first, ...others] = await Promise.all(references.map((reference) => app.ticket(reference)));
    if (first === undefined) throw new Error('no ticket');
    const balanceOf = (address: string) => app.connection.getBalance(new PublicKey(address));
    const before = await balanceOf(app.chain.payer);

    const run = issueRun(app.context(), 'production');
    const closed = async () => {
      await issueTurn(run);
      await closeTurn(run);
      return rows(app, "select 1 from issue_transaction where closes and state <> 'open'");
    };
    await expect.poll(closed, { timeout: 120_000, interval: 500 }).not.toEqual([]);
    const [day] = await readCosts(app.context(), 'production', 1);
    expect(day).toMatchObject({ closedEvents: 1, closedPermits: PAST_TICKETS });
    expect((await balanceOf(app.chain.payer)) - before).toBe(Number(day?.returned) - Number(day?.closingFees));
    expect(await app.chain.gateway.finalAccounts('ClosedEvent', [first.tixEventId])).toMatchObject([{}]);
    expect(await balanceOf(first.tixEventId)).toBe(await app.connection.getMinimumBalanceForRentExemption(9));
    for (const { permit } of [first, ...others]) expect(await balanceOf(permit)).toBe(0);
  });

  it('an app whose access ended sells nothing more: its listing is closed within ten seconds', async () => {
    await land(signedBytes(await list(await build('t10'))));
    await reconcile(app.context(), 'production');
    const began = performance.now();
    await revokeOwnGrants(app.context(), idOf('usr', seller.id as Uuid));
    const isHeld = async () => {
      await endSales(app.context());
      await carryOutMoves(app.context());
      return (await stateOf('t10')).state;
    };
    await expect.poll(isHeld, { timeout: 10_000, interval: 200 }).toBe('held');
    console.info(`off sale ${Math.round(performance.now() - began)} ms after the end of access`);
    expect((await list(await build('t12'))).status).toBe(401);
  });
});
