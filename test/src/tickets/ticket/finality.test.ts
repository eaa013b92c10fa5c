import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../../packages/localnet/test/hosted-network.ts';
import { rpc } from '../../../../packages/localnet/test/test-network.ts';
import { issueRun } from '../../../../src/inventory/issuing/issue-run.ts';
import { closeTurn, issueTurn } from '../../../../src/inventory/issuing/issue-turn.ts';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { oneTicket, rows, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import {
  authorizeListing,
  claim,
  land,
  listing,
  onChain,
  putOnSale,
  signatureOf,
  signedBytes,
  transfer,
} from '../../../support/ticket-transactions.ts';

/**
 * What was taken at confirmed and is dropped before it is final mends itself. A slot is final, and a blockhash over, after as many slots as
 * on a cluster.
 */
const FINAL_SLOTS = 32;
const BLOCKHASH_SLOTS = 150;
const network = await startHostedNetwork({ delays: { confirmed: 0, finalized: FINAL_SLOTS } });
const { app, market, seller, buyer, holder, audited } = await chainStage({ network });

const slot = async () => (await rpc(app.network.url, 'getSlot', [{ commitment: 'processed' }])).result as number;
/** Drops what is not final yet. */
async function fork(after: number): Promise<void> {
  const { result } = await rpc(app.network.url, 'dropAfter', [after]);
  expect(result).toBe(after);
}
/** Lets so many slots pass that all that has landed until now is final. */
const pass = (slots = FINAL_SLOTS + 1) => rpc(app.network.url, 'passSlots', [slots]);
const turn = () => issueTurn(issueRun(app.context(), 'sandbox'));
const OPEN = 'join permit p on p.id = l.permit_id where p.tix_permit_id = $1 and l.closed_at is null';
const openListings = async ({ permit }: TestTicket) =>
  (await rows(app, `select l.id from listing l ${OPEN}`, [permit])).length;
async function issuedAt({ permit }: TestTicket): Promise<string | null | undefined> {
  const sql = 'select issued_at from permit where tix_permit_id = $1';
  const [row] = await rows<{ issued_at: string | null }>(app, sql, [permit]);
  return row?.issued_at;
}
/** A listing that the service has signed. */
async function signed(ticket: TestTicket): Promise<Buffer> {
  const bytes = await listing(app, market, ticket, seller.wallet_address);
  return signedBytes(await authorizeListing(app, seller, 'list', [bytes]));
}
const PATIENCE = { timeout: 15_000, interval: 20 };
/** What is told after as many readings as it takes. */
const reconciled = <Told>(told: () => Promise<Told>) => {
  const read = async () => {
    await reconcile(app.context(), 'sandbox');
    return told();
  };
  return expect.poll(read, PATIENCE);
};
/** Until no permit waits, some slots after each turn. */
async function settled(): Promise<void> {
  const waiting = async () => {
    await pass(8);
    app.advance(3);
    await turn();
    return (await rows(app, 'select 1 from waiting_permit')).length;
  };
  await expect.poll(waiting, PATIENCE).toBe(0);
}
const unfinal = () => rows(app, 'select permit_id from unfinal_permit');

async function issuedAndDropped(): Promise<TestTicket> {
  const ticket = await oneTicket(app, seller, { issue: false });
  await pass();
  const latest = await slot();
  await turn();
  await turn();
  expect(await issuedAt(ticket)).not.toBeNull();
  await fork(latest - 1);
  return ticket;
}

describe('between confirmed and finalized', () => {
  it('an issue that is dropped lands again by the same transaction', async () => {
    const ticket = await issuedAndDropped();
    expect(await app.chain.gateway.permits([ticket.permit])).toEqual([undefined]);
    app.advance(5);
    await settled();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await rows(app, "select 1 from issue_transaction where state = 'dropped'")).toEqual([]);
  });

  it('an issue that is dropped for good is issued no more, and then once, by another transaction', async () => {
    const ticket = await issuedAndDropped();
    app.proxy.setRule(({ method }) => (method === 'sendTransaction' ? { reply: { result: 'taken' } } : 'pass'));
    await pass(BLOCKHASH_SLOTS + FINAL_SLOTS);
    const turned = async () => {
      app.advance(3);
      await turn();
      return audited(ticket.permit);
    };
    await expect.poll(turned, PATIENCE).toContain('permit.issue_undone');
    app.proxy.reset();
    await settled();
    expect(await issuedAt(ticket)).not.toBeNull();
    expect(await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit))).toHaveLength(1);
  });

  it('permits that are closed count as closed once that is final; one that is dropped is closed again', async () => {
    Object.assign(app.config.issuing, { closeAfter: 1, closableAfter: -7_200 });
    const ticket = await oneTicket(app, seller, { endsAt: new Date(Date.now() + 3_600_000), issue: false });
    await turn();
    await settled();
    const over = "starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours'";
    await rows(app, `update event set ${over} where tix_event_id = $1`, [ticket.tixEventId]);
    const accounts = () => app.chain.gateway.permits([ticket.permit]);
    const read = async () => {
      const sql = `select e.closed_at is not null as event, p.closed_at is not null as permit from permit p
        join event e on e.tix_event_id = $2 where p.tix_permit_id = $1`;
      return (await rows<{ event: boolean; permit: boolean }>(app, sql, [ticket.permit, ticket.tixEventId]))[0];
    };
    const closing = () => closeTurn(issueRun(app.context(), 'sandbox'));
    let latest = await slot();
    await closing();
    await fork(latest - 1);
    app.advance(21);
    await pass();
    // the event was not closed after all: it is sent again
    await closing();
    expect(await read()).toEqual({ event: false, permit: false });
    await pass();
    app.advance(21);
    latest = await slot();
    await closing();
    expect(await read()).toEqual({ event: true, permit: false });
    expect(await accounts()).toEqual([undefined]);
    await turn();
    await reconcile(app.context(), 'sandbox');
    expect(await rows(app, "select 1 from issue_transaction where closes and state = 'landed'")).toHaveLength(1);
    expect(await read()).toEqual({ event: true, permit: false });
    await fork(latest - 1);
    expect(await accounts()).toMatchObject([{ state: 'held' }]);
    app.advance(5);
    await settled();
    expect(await accounts()).toEqual([undefined]);
    expect(await read()).toEqual({ event: true, permit: true });
    expect(await rows(app, 'select 1 from unread_permit')).toEqual([]);
    expect(await audited(ticket.permit)).not.toContain('permit.issue_undone');
    Object.assign(app.config.issuing, { closeAfter: 0 });
  });

  it('a listing that is dropped closes again', async () => {
    const ticket = await oneTicket(app, seller);
    await pass();
    const latest = await slot();
    await land(app, await signed(ticket));
    await reconcile(app.context(), 'sandbox');
    expect(await openListings(ticket)).toBe(1);
    await fork(latest - 1);
    await pass();
    await reconciled(() => openListings(ticket)).toBe(0);
    expect(await audited(ticket.permit)).toContain('listing.cancelled');
    await pass();
    await reconcile(app.context(), 'sandbox');
    await expect(await unfinal()).toEqual([]);
  });

  it('D-196: a listing that stays is done with once it is final, and its permit is not written again', async () => {
    const ticket = await oneTicket(app, seller);
    await putOnSale(app, market, ticket, seller);
    await reconcile(app.context(), 'sandbox');
    const written = () => rows(app, 'select xmin from permit where tix_permit_id = $1', [ticket.permit]);
    const before = await written();
    expect(await unfinal()).toHaveLength(1);
    await pass();
    await reconcile(app.context(), 'sandbox');
    await expect(await unfinal()).toEqual([]);
    expect(await openListings(ticket)).toBe(1);
    expect(await written()).toEqual(before);
  });

  it('a listing in a slot before the one that was read last is seen, though the first fork did not have it', async () => {
    const [first, second] = [await oneTicket(app, seller), await oneTicket(app, seller)];
    await pass();
    await reconcile(app.context(), 'sandbox');
    const [one, two] = [await signed(first), await signed(second)];
    const latest = await slot();
    await land(app, one);
    await reconcile(app.context(), 'sandbox');
    expect(await openListings(first)).toBe(1);
    // the next run reads again all that may still be dropped
    const cursor = await rows(app, `select 1 from chain_cluster where mode = 'sandbox' and last_slot >= $1`, [latest]);
    expect(cursor).toEqual([]);
    await fork(latest - 1);
    await land(app, two);
    await reconcile(app.context(), 'sandbox');
    expect(await openListings(second)).toBe(1);
    await pass();
    await reconciled(() => openListings(first)).toBe(0);
  });

  /** @returns the signature of a claim that was confirmed, and whose block the cluster has dropped */
  async function confirmedAndDropped(ticket: TestTicket): Promise<string> {
    await putOnSale(app, market, ticket, seller);
    await reconcile(app.context(), 'sandbox');
    await pass();
    await reconcile(app.context(), 'sandbox');
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    const latest = await slot();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await holder(ticket)).toBe(buyer.wallet_address);
    await fork(latest - 1);
    await pass();
    await reconciled(() => holder(ticket)).toBe(seller.wallet_address);
    return signatureOf(bytes);
  }

  const settledAndAudited = async (signature: string) => {
    await settleDueClaims(app.context(), 0);
    return audited(signature);
  };

  it('a claim that was confirmed and is dropped opens again, and is submitted again', async () => {
    const ticket = await oneTicket(app, seller);
    const signature = await confirmedAndDropped(ticket);
    await expect
      .poll(() => settledAndAudited(signature), PATIENCE)
      .toEqual(['claim.confirmed', 'claim.reopened', 'claim.confirmed']);
    expect(await holder(ticket)).toBe(buyer.wallet_address);
    await pass();
    await settleDueClaims(app.context(), 0);
    const found = await rows(app, 'select state, unfinal_slot from claim where signature = $1', [signature]);
    expect(found).toEqual([{ state: 'confirmed', unfinal_slot: null }]);
  });

  it('one that is dropped while another claim of its permit is open fails, and the other one stays', async () => {
    const signature = await confirmedAndDropped(await oneTicket(app, seller));
    const [other] = await rows<{ id: string }>(
      app,
      `insert into claim select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'state', 'submitted',
         'signature', reverse(signature), 'unfinal_slot', null, 'next_attempt_at', now() + interval '1 day'))).*
       from claim c where signature = $1 returning id`,
      [signature],
    );
    await expect.poll(() => settledAndAudited(signature), PATIENCE).toEqual(['claim.confirmed', 'claim.reopened']);
    const found = await rows(app, 'select state, failure, unfinal_slot from claim where signature = $1', [signature]);
    const failure = 'the cluster dropped the block that it was in';
    expect(found).toEqual([{ state: 'failed', failure, unfinal_slot: null }]);
    expect(await rows(app, 'select state from claim where id = $1', [other?.id])).toEqual([{ state: 'submitted' }]);
  });
});
