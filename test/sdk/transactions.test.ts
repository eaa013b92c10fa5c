/** The SDK against the service and the real VM: with web3.js and with kit. */
import { FanApiError, fetchCluster, memoryTokenStore, openAuthServer, openFanApi, openSession } from '@fan-api/sdk';
import * as kit from '@fan-api/sdk/kit';
import * as web3 from '@fan-api/sdk/web3';
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit';
import { expect, test } from 'vitest';
import { putOnchain } from '../../src/inventory/issuing/issue-turn.ts';
import { moreTickets, type User } from '../support/chain-app.ts';
import { REDIRECT_URI } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';

const app = await testChainApp();
const [seller, buyer] = app.users;
const { programId } = await fetchCluster(app.config.apiUrl, 'sandbox');
const wallet = await app.network.funded();

async function apiOf(user: User) {
  const authServer = openAuthServer({
    issuer: app.config.authUrl,
    clientId: app.kit.client_id,
    redirectUri: REDIRECT_URI,
  });
  const session = openSession({ authServer, store: memoryTokenStore(), key: user.id });
  const response = (await user.tokens()) as never;
  await session.begin({ response, expiresAt: Date.now() + 3_600_000 });
  return openFanApi({ apiUrl: app.config.apiUrl, session });
}
const [ofSeller, ofBuyer] = await Promise.all([apiOf(seller), apiOf(buyer)]);

async function ticketAt(index: number) {
  const ticket = (await ofSeller.tickets()).tickets[index];
  if (ticket === undefined) throw new Error('the seller has no such ticket');
  return ticket;
}

test('web3.js: a ticket is explained, listed, cancelled, listed again, and claimed by its buyer', async () => {
  const program = web3.openTicketProgram(app.connection, programId);
  const ticket = await ticketAt(0);
  const marketplace = wallet.publicKey;
  const signed = async (type: 'list' | 'cancel', instruction: Parameters<typeof program.prepare>[0]) => {
    const fees = { computeUnitLimit: 20_000, computeUnitPrice: 1_000 };
    const hex = web3.transactionHex(await program.prepare(instruction, [wallet], fees));
    const [explained] = (await ofSeller.explain(type, [hex])).transactions;
    expect(explained?.accepted).toBe(true);
    const [authorized = ''] = await ofSeller.authorize(type, [hex]);
    return program.submit(authorized);
  };

  await signed('list', await program.createListing(ticket, { marketplace, lamports: 5n }));
  expect(await program.readPermit(ticket)).toMatchObject({
    owner: seller.wallet_address,
    listed: true,
    marketplace: marketplace.toBase58(),
    lamports: 5n,
    listing: 1n,
  });
  await signed('cancel', await program.cancelListing(ticket));
  expect(await program.readPermit(ticket)).toMatchObject({
    listed: false,
    marketplace: undefined,
    lamports: 0n,
    listing: 1n,
  });
  await signed('list', await program.createListing(ticket, { marketplace: marketplace.toBase58(), lamports: 6n }));
  const destination = await ofBuyer.wallet();
  const transferOf = async (sale: web3.Sale) => {
    const transfer = program.transferPermit(ticket, { ...sale, marketplace, destination });
    return web3.transactionHex(await program.prepare(transfer, [wallet]));
  };
  const gone = await ofBuyer.claim([await transferOf({ listing: 1n, lamports: 5n })]).catch((error: unknown) => error);
  expect(gone).toMatchObject({ status: 404, code: 'not_found' });
  const hex = await transferOf({ listing: 2n, lamports: 6n });
  const [claimed] = await ofBuyer.claim([hex]);
  expect(claimed).toMatchObject({ ticket_id: ticket.id, destination_wallet: buyer.wallet_address });
  expect((await ofBuyer.claim([hex]))[0]).toEqual(claimed);
  expect((await program.readPermit(ticket)).owner).toBe(buyer.wallet_address);
});

test('kit: a ticket is listed, cancelled, listed again, and claimed by its buyer', async () => {
  const rpc = createSolanaRpc(app.network.url);
  const program = await kit.openTicketProgram(rpc, programId);
  const signer = await createKeyPairSignerFromBytes(wallet.secretKey);
  const ticket = await ticketAt(0);
  const signed = async (type: 'list' | 'cancel', instruction: Parameters<typeof program.prepare>[0]) => {
    const [authorized = ''] = await ofSeller.authorize(type, [await program.prepare(instruction, signer)]);
    return program.submit(authorized);
  };

  await signed('list', await program.createListing(ticket, { marketplace: signer.address, lamports: 7n }));
  const listed = await program.readPermit(ticket);
  expect(listed).toMatchObject({
    owner: seller.wallet_address,
    listed: true,
    marketplace: signer.address,
    lamports: 7n,
    listing: 1n,
  });
  expect(listed).toEqual(await web3.openTicketProgram(app.connection, programId).readPermit(ticket));
  await signed('cancel', await program.cancelListing(ticket));
  await signed('list', await program.createListing(ticket, { marketplace: signer.address, lamports: 8n }));
  const { listing, lamports } = await program.readPermit(ticket);
  const parties = { marketplace: signer, destination: await ofBuyer.wallet() };
  const transfer = await program.transferPermit(ticket, { listing, lamports, ...parties });
  const [claimed] = await ofBuyer.claim([await program.prepare(transfer, signer)]);
  expect(claimed).toMatchObject({ ticket_id: ticket.id, destination_wallet: buyer.wallet_address });
});

test('a ticket whose permit is being put onchain: a listing waits for it, with web3.js and with kit', async () => {
  const [made] = await moreTickets(app, seller, { issue: false });
  if (made === undefined) throw new Error('a ticket was made');
  const ticket = { tix_event_id: made.tixEventId, tix_ticket_id: made.tixTicketId };
  const ofWeb3 = web3.openTicketProgram(app.connection, programId);
  const ofKit = await kit.openTicketProgram(createSolanaRpc(app.network.url), programId);
  const { address } = await createKeyPairSignerFromBytes(wallet.secretKey);
  await expect(ofWeb3.readPermit(ticket)).rejects.toThrow(/has no account/);
  const listings = Promise.all([
    ofWeb3.createListing(ticket, { marketplace: wallet.publicKey, lamports: 9n }),
    ofKit.createListing(ticket, { marketplace: address, lamports: 9n }),
  ]);
  await putOnchain(app.context(), 'sandbox');
  const [first, second] = await listings;
  expect([...first.data]).toEqual([...(second.data ?? [])]);
});

test('a refusal has status, code, request id and the link to its cause', async () => {
  const refusal = await ofSeller.authorize('list', ['00']).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FanApiError);
  expect(refusal).toMatchObject({ status: 400, code: 'truncated', retryAfter: undefined });
  const { requestId, help } = refusal as FanApiError;
  expect(requestId).toMatch(/^[\w-]{36}$/);
  expect(help).toBe(`${app.config.docsUrl}/errors#truncated`);
});

test('pages hold every ticket once, and an event that matches nothing gives none', async () => {
  const all = (await ofBuyer.tickets()).tickets.map(({ id }) => id);
  const paged: string[] = [];
  for await (const { tickets } of ofBuyer.ticketPages({ limit: 1 })) paged.push(...tickets.map(({ id }) => id));
  expect(all.length).toBeGreaterThan(1);
  expect(paged).toEqual(all);
  expect((await ofBuyer.tickets({ eventId: 'evt_none' })).tickets).toEqual([]);
});

test('a ticket of another cluster, a price that is none and bytes that are no hex are refused before anything is sent', async () => {
  const program = web3.openTicketProgram(app.connection, programId);
  const ticket = await ticketAt(0);
  const foreign = { ...ticket, tix_ticket_id: wallet.publicKey.toBase58() };
  await expect(program.createListing(foreign, { marketplace: wallet.publicKey, lamports: 1n })).rejects.toThrow(
    /no account/,
  );
  await expect(program.createListing(ticket, { marketplace: wallet.publicKey, lamports: -1n })).rejects.toThrow(
    /price/,
  );
  const parties = { marketplace: wallet.publicKey, destination: wallet.publicKey };
  const tooLarge = { listing: 2n ** 64n, lamports: 1n, ...parties };
  expect(() => program.transferPermit(ticket, tooLarge)).toThrow(/number of a listing/);
  await expect(program.submit('xyz')).rejects.toThrow(/hex/);
});
