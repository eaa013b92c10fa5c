import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployProgram } from '../../../src/chain/cluster/deploy-program.ts';
import { landTransaction } from '../../../src/chain/cluster/land-transaction.ts';
import { openCluster } from '../../../src/chain/cluster/open-cluster.ts';
import { keypairFile, runChain, signerOf } from '../../src/chain/cluster/test-cluster.ts';
import {
  type ChainApp,
  moreTickets,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../support/chain-app.ts';
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
import { HAS_CLUSTER, openForeignCluster } from './foreign-cluster.ts';
import { setUpProgram } from './set-up-program.ts';

/**
 * The service on a cluster that nobody here wrote, under an address and keys of its own: `npm run test:cluster`. The
 * tests run in this order.
 */
const program = Keypair.generate();
const admin = Keypair.generate();
const adminFile = keypairFile(admin);
const keys = { program, admin, adminFile };

describe.skipIf(!HAS_CLUSTER)('a real validator', { timeout: 300_000 }, () => {
  let app: ChainApp;
  let market: Marketplace;
  let ticket: TestTicket;

  beforeAll(async () => {
    const network = await openForeignCluster();
    const env = { SANDBOX_PROGRAM_ID: program.publicKey.toBase58() };
    try {
      app = await startChainApp({ network, env, prepare: (bare) => setUpProgram(bare, 'sandbox', keys) });
      market = await fundedMarketplace(app);
    } catch (error) {
      await network.remove();
      throw error;
    }
  }, 420_000);
  afterAll(() => app?.stop());

  const chain = (...words: string[]) => runChain(app, [...words, '--mode', 'sandbox']);
  const land = (bytes: Uint8Array) => landTransaction(app.chain.gateway, bytes);

  async function ticketsOf(user: User): Promise<string[]> {
    const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
    return (body.tickets as { id: string }[]).map(({ id }) => id);
  }

  /** A listing that names another authority than the present one. */
  async function listingUnder(authority: string): Promise<Buffer> {
    const present = app.chain.authority;
    app.chain.authority = authority;
    const bytes = await listing(app, market, ticket, app.users[0].wallet_address);
    app.chain.authority = present;
    return bytes;
  }

  async function list(): Promise<void> {
    const bytes = await listing(app, market, ticket, app.users[0].wallet_address);
    await land(signedBytes(await authorizeListing(app, app.users[0], 'list', [bytes])));
  }

  it('permits are issued to the holders', async () => {
    const [first] = await moreTickets(app, app.users[0]);
    if (!first) throw new Error('there is no ticket');
    ticket = first;
    expect(await onChain(app, ticket)).toMatchObject({ owner: app.users[0].wallet_address, state: 'held' });
  });

  it('a ticket is listed, the listing cancelled, and listed again', async () => {
    await list();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed', marketplace: market.address });
    const bytes = await cancellation(app, market, ticket, app.users[0].wallet_address);
    await land(signedBytes(await authorizeListing(app, app.users[0], 'cancel', [bytes])));
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held', marketplace: null });
    await list();
  });

  it('it is sold: the claim moves the permit and the ticket', async () => {
    const [seller, buyer] = app.users;
    const sale = await transfer(app, market, ticket, buyer.wallet_address);
    const answer = await claim(app, buyer, [sale]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    expect(await ticketsOf(buyer)).toContain(ticket.id);
    expect(await ticketsOf(seller)).not.toContain(ticket.id);
    // the same request again is the same claim
    expect((await claim(app, buyer, [sale])).body).toEqual(answer.body);
  });

  it('the authority is rotated with listings under way: they finish under either, until the old one is retired', async () => {
    const [first, second] = await moreTickets(app, app.users[0], { count: 2 });
    if (!first || !second) throw new Error('there are two tickets');
    ticket = first;
    const before = app.chain.authority;
    const owner = app.users[0].wallet_address;
    const cosigned = await authorizeListing(app, app.users[0], 'list', [await listing(app, market, first, owner)]);
    const unseen = await listing(app, market, second, owner);
    const rotated = await chain('rotate', '--keypair', adminFile);
    expect(rotated, rotated.stderr).toMatchObject({ code: 0 });
    // signed before, and landed after
    await land(signedBytes(cosigned));
    expect(await onChain(app, first)).toMatchObject({ state: 'listed' });
    // built before, and signed after
    await land(signedBytes(await authorizeListing(app, app.users[0], 'list', [unseen])));
    expect(await onChain(app, second)).toMatchObject({ state: 'listed' });
    expect(app.chain.authority).not.toBe(before);

    const cancel = await cancellation(app, market, first, owner);
    await land(signedBytes(await authorizeListing(app, app.users[0], 'cancel', [cancel])));
    const stale = await listingUnder(before);
    const retired = await chain('retire', '--keypair', adminFile);
    expect(retired, retired.stderr).toMatchObject({ code: 0 });
    const refused = await authorizeListing(app, app.users[0], 'list', [stale]);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'wrong_account']);
    expect(await rows(app, "select 1 from chain_key where role = 'former_authority'")).toEqual([]);
    await list();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
  });

  it('the program is upgraded and goes back to the code of this release; permits and configuration stay', async () => {
    const cluster = await openCluster(app.context(), 'sandbox');
    const code = Buffer.concat([readProgramCode(), Uint8Array.of(1)]);
    await deployProgram(cluster, app.runtime.signer, { code, admin: signerOf(admin), report: () => {} });
    expect((await chain('status')).stdout).toContain('The deployed code is not that of this release.');
    const deployed = await chain('deploy', '--keypair', adminFile);
    expect(deployed, deployed.stderr).toMatchObject({ code: 0 });
    const status = await chain('status');
    expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/the code of this release/) });
    console.info(status.stdout);
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
  });
});
