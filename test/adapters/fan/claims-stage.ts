import { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { OPEN_CLAIM, type OpenClaim } from '../../../src/claim/open-claim.ts';
import { type ChainApp, rows, startChainApp, type TestTicket, type User } from '../../support/chain-app.ts';
import type { Fate } from '../../support/rpc-proxy.ts';
import {
  fundedMarketplace,
  listedTickets,
  type Marketplace,
  onChain,
  signatureOf,
  transfer,
} from '../../support/ticket-transactions.ts';

/**
 * The set-up of the tests of chain §4: before each test a listed ticket that no other test has used, and a transfer of
 * it to the buyer that was not claimed yet; the cluster answers. Registers the hooks of the file that calls it.
 *
 * @param count of tickets for all tests of the file
 * @returns the values of the running test, to be read once its hooks have run, and what looks at a claim
 */
export function claimsStage(count = 24) {
  let app: ChainApp;
  let market: Marketplace;
  let seller: User;
  let buyer: User;
  let tickets: TestTicket[];
  beforeAll(async () => {
    app = await startChainApp();
    market = await fundedMarketplace(app);
    [seller, buyer] = app.users;
    tickets = await listedTickets(app, market, seller, count);
  });
  afterAll(() => app.stop());

  let ticket: TestTicket;
  let bytes: Buffer;
  beforeEach(async () => {
    [ticket, bytes] = await next();
    app.proxy.reset();
  });
  afterEach(() => app.proxy.reset());

  /** A listed ticket that no test has used yet, and a transfer of it to the buyer. */
  async function next(): Promise<[TestTicket, Buffer]> {
    const unused = tickets.pop();
    if (!unused) throw new Error('more tickets are needed');
    return [unused, await transfer(app, market, unused, buyer.wallet_address)];
  }

  async function stateOf(transaction: Uint8Array) {
    const [row] = await rows<{ state: string; failure: string | null }>(
      app,
      'select state, failure from claim where signature = $1',
      [signatureOf(transaction)],
    );
    return row;
  }

  async function holder(of: TestTicket): Promise<string | undefined> {
    const [row] = await rows<{ address: string }>(
      app,
      'select w.address from ticket t join permit p on p.ticket_id = t.id join wallet w on w.fan_id = t.owner_id where p.tix_permit_id = $1',
      [of.permit],
    );
    return row?.address;
  }

  async function auditOf(transaction: Uint8Array): Promise<string[]> {
    const found = await rows<{ action: string }>(app, 'select action from audit_entry where subject = $1', [
      signatureOf(transaction),
    ]);
    return found.map(({ action }) => action);
  }

  /** The claim as a process holds it while it settles it. */
  function openClaims() {
    return rows<OpenClaim>(
      app,
      `select ${OPEN_CLAIM}
       from claim cl join permit p on p.id = cl.permit_id where cl.signature = $1`,
      [signatureOf(bytes)],
    );
  }

  async function expectClaimed(): Promise<void> {
    expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
    expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
    expect(await holder(ticket)).toBe(buyer.wallet_address);
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    const transfers = await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit));
    expect(transfers.filter(({ signature }) => signature === signatureOf(bytes))).toHaveLength(1);
  }

  return {
    get app() {
      return app;
    },
    get market() {
      return market;
    },
    get seller() {
      return seller;
    },
    get buyer() {
      return buyer;
    },
    get ticket() {
      return ticket;
    },
    get bytes() {
      return bytes;
    },
    next,
    stateOf,
    holder,
    auditOf,
    openClaims,
    expectClaimed,
  };
}

/** The n-th call of a method, and all after it, meet this fate. */
export function from(nth: number, method: string, fate: Fate) {
  let seen = 0;
  return (call: { method: string }): Fate => {
    if (call.method === method) seen += 1;
    return seen >= nth && call.method === method ? fate : 'pass';
  };
}
