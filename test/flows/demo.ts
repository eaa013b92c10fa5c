import { authorizedFetch, fetchCluster, openFanApi } from '@fan-api/sdk';
import { openTicketProgram, transactionHex } from '@fan-api/sdk/web3';
import { Connection } from '@solana/web3.js';
import { fundedWallet } from './demo/funded-wallet.ts';
import { readKit } from './demo/kit.ts';
import { fail, say, step } from './demo/narrate.ts';
import { verifiedReceipt } from './demo/receipt.ts';
import { openPartner, signIn } from './demo/sign-in.ts';

/**
 * `npm run demo [-- FILE]`: a partner of its own, with the SDK and no other code of this project, drives a running server end to end.
 * Two test users sign in (or, with a file that names a production client, two fans whose codes it asks for); a ticket of one is listed,
 * the listing cancelled, listed again, and sold to the other.
 */
const kit = await readKit(process.env.DATA_DIR ?? '.data', process.argv[2]);
const [first, second] = kit.test_users;
if (!first || !second) fail('The starter kit has no two test users.');

step(`Discovering ${kit.auth_url}`);
const authServer = openPartner(kit);
const firstSession = await signIn(authServer, kit, first);

step('Asking userinfo, and refreshing');
const { userinfo_endpoint } = await authServer.metadata();
const userinfo = await (await authorizedFetch(firstSession)(userinfo_endpoint ?? '')).json();
say(`granted actions ${String(userinfo.granted_actions)}`);
const { response: refreshed } = await firstSession.refresh();
say(`a new access token and a new refresh token, ${refreshed.refresh_token_expires_in} s left`);

step('Asking for the consent receipt, and verifying it by the published keys');
const receipt = await verifiedReceipt(kit, firstSession);
say(`${String(receipt.sub)} granted ${String(receipt.granted_actions)} to ${String(receipt.client_name)}`);

const secondSession = await signIn(authServer, kit, second);
const fans = [
  { ...first, api: openFanApi({ apiUrl: kit.api_url, session: firstSession }) },
  { ...second, api: openFanApi({ apiUrl: kit.api_url, session: secondSession }) },
] as const;

step(`Listing tickets: GET ${kit.api_url}/tickets`);
const holdings = await Promise.all(fans.map(async (fan) => (await fan.api.tickets()).tickets));
for (const [index, tickets] of holdings.entries()) {
  say(`${fans[index]?.phone} holds ${tickets.length}`);
  for (const ticket of tickets) say(`  ${ticket.id}  ${ticket.event_name} · ${ticket.ticket_type_name}`);
}
if (kit.rpc_url === null) fail('Nothing can be listed: no test network is up, or SANDBOX_PUBLIC_RPC_URL is not set.');

// so that the demo can run again and again, the one with more tickets sells
const [seller, buyer] = (holdings[0]?.length ?? 0) >= (holdings[1]?.length ?? 0) ? fans : ([fans[1], fans[0]] as const);
const ticket = (await seller.api.tickets()).tickets[0] ?? fail('The test users hold no tickets.');
const { programId } = await fetchCluster(kit.api_url, kit.mode ?? 'sandbox');
const connection = new Connection(kit.rpc_url, 'confirmed');
const program = openTicketProgram(connection, programId);
const wallet = await fundedWallet(kit, connection);
const marketplace = wallet.publicKey;

step(`Asking for the wallets: GET ${kit.api_url}/wallet`);
const [sellerWallet, buyerWallet] = [await seller.api.wallet(), await buyer.api.wallet()];
const permit = await program.readPermit(ticket);
if (permit.owner !== sellerWallet) fail(`${ticket.id} is not in the wallet ${sellerWallet}.`);
say(`${seller.phone} has ${sellerWallet}; ${buyer.phone} has ${buyerWallet}`);

async function list(lamports: bigint): Promise<void> {
  const listing = await program.createListing(ticket, { marketplace, lamports });
  await haveSigned('list', transactionHex(await program.prepare(listing, [wallet])));
}

async function cancel(): Promise<void> {
  await haveSigned('cancel', transactionHex(await program.prepare(await program.cancelListing(ticket), [wallet])));
}

async function haveSigned(type: 'list' | 'cancel', transaction: string): Promise<void> {
  const [signed = fail('The answer has no transaction.')] = await seller.api.authorize(type, [transaction]);
  say(`on chain: ${await program.submit(signed)}`);
}

if (permit.listed) {
  step('Cancelling a listing that a run before this one left');
  await cancel();
}

step(`Listing ${ticket.id} at 2 SOL: POST ${kit.api_url}/authorizations, then the network`);
await list(2_000_000_000n);

step('Cancelling the listing');
await cancel();

step('Listing it again at 3 SOL');
await list(3_000_000_000n);

step(`The marketplace signs the transfer; ${buyer.phone} claims it: POST ${kit.api_url}/claims/execute`);
const { listing, lamports } = await program.readPermit(ticket);
const transfer = program.transferPermit(ticket, { listing, lamports, marketplace, destination: buyerWallet });
const [claim = fail('The answer names no ticket.')] = await buyer.api.claim([
  transactionHex(await program.prepare(transfer, [wallet])),
]);
say(`ticket ${claim.ticket_id}, transfer ${claim.transfer_id}`);

step('The ticket has moved');
const sellerHas = (await seller.api.tickets()).tickets.some(({ id }) => id === ticket.id);
const buyerHas = (await buyer.api.tickets()).tickets.some(({ id }) => id === ticket.id);
if (sellerHas || !buyerHas) fail('The ticket did not move.');
say(`${seller.phone} no longer holds ${ticket.id}; ${buyer.phone} does`);
