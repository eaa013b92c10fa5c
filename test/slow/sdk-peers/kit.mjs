import { fetchCluster } from '@fan-api/sdk';
import { openTicketProgram } from '@fan-api/sdk/kit';
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit';
import { given, openFan, refreshTogether } from './session.mjs';

const { programId } = await fetchCluster(given.apiUrl, 'sandbox');
const program = await openTicketProgram(createSolanaRpc(given.rpcUrl), programId);
const marketplace = await createKeyPairSignerFromBytes(Uint8Array.from(given.wallet));
const [{ fan: seller }, { fan: buyer }] = [await openFan(given.seller), await openFan(given.buyer)];
const [ticket] = (await seller.tickets()).tickets;

async function authorize(type, instruction) {
  const [signed] = await seller.authorize(type, [await program.prepare(instruction, marketplace)]);
  await program.submit(signed);
}
await authorize('list', await program.createListing(ticket, { marketplace: marketplace.address, lamports: 5n }));
await authorize('cancel', await program.cancelListing(ticket));
await authorize('list', await program.createListing(ticket, { marketplace: marketplace.address, lamports: 6n }));
const { listing, lamports } = await program.readPermit(ticket);
const sale = { listing, lamports, marketplace, destination: await buyer.wallet() };
const transfer = await program.transferPermit(ticket, sale);
const [claimed] = await buyer.claim([await program.prepare(transfer, marketplace)]);
const tokens = await refreshTogether(given.seller);
console.log(JSON.stringify({ node: process.version, sold: claimed.ticket_id === ticket.id, tokens: tokens.length }));
