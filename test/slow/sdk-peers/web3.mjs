import { fetchCluster } from '@fan-api/sdk';
import { openTicketProgram, transactionHex } from '@fan-api/sdk/web3';
import { Connection, Keypair } from '@solana/web3.js';
import { given, openFan, refreshTogether } from './session.mjs';

const { programId } = await fetchCluster(given.apiUrl, 'sandbox');
const program = openTicketProgram(new Connection(given.rpcUrl, 'confirmed'), programId);
const wallet = Keypair.fromSecretKey(Uint8Array.from(given.wallet));
const marketplace = wallet.publicKey;
const [{ fan: seller }, { fan: buyer }] = [await openFan(given.seller), await openFan(given.buyer)];
const [ticket] = (await seller.tickets()).tickets;

async function authorize(type, instruction) {
  const [signed] = await seller.authorize(type, [transactionHex(await program.prepare(instruction, [wallet]))]);
  await program.submit(signed);
}
await authorize('list', await program.createListing(ticket, { marketplace, lamports: 5n }));
await authorize('cancel', await program.cancelListing(ticket));
await authorize('list', await program.createListing(ticket, { marketplace, lamports: 6n }));
const { listing, lamports } = await program.readPermit(ticket);
const sale = { listing, lamports, marketplace, destination: await buyer.wallet() };
const transfer = program.transferPermit(ticket, sale);
const [claimed] = await buyer.claim([transactionHex(await program.prepare(transfer, [wallet]))]);
const tokens = await refreshTogether(given.seller);
console.log(JSON.stringify({ node: process.version, sold: claimed.ticket_id === ticket.id, tokens: tokens.length }));
