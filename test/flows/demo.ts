import * as oidc from 'openid-client';
import { fanApi } from './demo/fan-api.ts';
import { readKit } from './demo/kit.ts';
import { fail, say, step } from './demo/narrate.ts';
import { verifiedReceipt } from './demo/receipt.ts';
import { discover, keepFresh, signIn } from './demo/sign-in.ts';
import { openTicketProgram } from './demo/ticket-program.ts';

/**
 * `npm run demo [-- FILE]`: a partner of its own, with ordinary libraries and no code of this project, drives a running server end to
 * end. Two test users sign in (or, with a file that names a production client, two fans whose codes it asks for); a ticket of one is listed, the listing cancelled, listed again, and sold to the other.
 */
const kit = await readKit(process.env.DATA_DIR ?? '.data', process.argv[2]);
const [first, second] = kit.test_users;
if (!first || !second) fail('The starter kit has no two test users.');

step(`Discovering ${kit.auth_url}`);
const client = await discover(kit);
const firstTokens = await signIn(client, kit, first);

step('Asking userinfo, and refreshing');
const userinfo = await oidc.fetchUserInfo(client, firstTokens.access_token, firstTokens.claims()?.sub ?? '');
say(`granted actions ${String(userinfo.granted_actions)}`);
const refreshed = await oidc.refreshTokenGrant(client, firstTokens.refresh_token ?? fail('There is no refresh token.'));
say(`a new access token and a new refresh token, ${refreshed.refresh_token_expires_in} s left`);

step('Asking for the consent receipt, and verifying it by the published keys');
const receipt = await verifiedReceipt(kit, String(firstTokens.grant_id), refreshed.access_token);
say(`${String(receipt.sub)} granted ${String(receipt.granted_actions)} to ${String(receipt.client_name)}`);

const secondTokens = await signIn(client, kit, second);
const fans = [
  { ...first, api: fanApi(kit, keepFresh(client, refreshed)) },
  { ...second, api: fanApi(kit, keepFresh(client, secondTokens)) },
] as const;

step(`Listing tickets: GET ${kit.api_url}/tickets`);
const holdings = await Promise.all(fans.map((fan) => fan.api.tickets()));
for (const [index, tickets] of holdings.entries()) {
  say(`${fans[index]?.phone} holds ${tickets.length}`);
  for (const ticket of tickets) say(`  ${ticket.id}  ${ticket.event_name} · ${ticket.ticket_type_name}`);
}
if (kit.rpc_url === null) fail('No test network is up, so nothing can be listed.');

// so that the demo can run again and again, the one with more tickets sells
const [seller, buyer] = (holdings[0]?.length ?? 0) >= (holdings[1]?.length ?? 0) ? fans : ([fans[1], fans[0]] as const);
const ticket = (await seller.api.tickets())[0] ?? fail('The test users hold no tickets.');
const program = await openTicketProgram(kit, kit.rpc_url);
const marketplace = await program.fundedWallet();

step(`Asking for the wallets: GET ${kit.api_url}/wallet`);
const [sellerWallet, buyerWallet] = [await seller.api.wallet(), await buyer.api.wallet()];
if ((await program.ownerOf(ticket)) !== sellerWallet) fail(`${ticket.id} is not in the wallet ${sellerWallet}.`);
say(`${seller.phone} has ${sellerWallet}; ${buyer.phone} has ${buyerWallet}`);

const cancel = async () => {
  const cancellation = await program.cancel(ticket, sellerWallet, marketplace);
  say(`on chain: ${await program.submit(await seller.api.authorize('cancel', cancellation))}`);
};
if (await program.isListed(ticket)) {
  step('Cancelling a listing that a run before this one left');
  await cancel();
}

step(`Listing ${ticket.id} at 2 SOL: POST ${kit.api_url}/authorizations, then the network`);
const listing = await program.list(ticket, sellerWallet, marketplace, 2_000_000_000);
say(`on chain: ${await program.submit(await seller.api.authorize('list', listing))}`);

step('Cancelling the listing');
await cancel();

step('Listing it again at 3 SOL');
const again = await program.list(ticket, sellerWallet, marketplace, 3_000_000_000);
say(`on chain: ${await program.submit(await seller.api.authorize('list', again))}`);

step(`The marketplace signs the transfer; ${buyer.phone} claims it: POST ${kit.api_url}/claims/execute`);
const claim = await buyer.api.claim(await program.transfer(ticket, marketplace, buyerWallet));
say(`ticket ${claim.ticket_id}, transfer ${claim.transfer_id}`);

step('The ticket has moved');
const sellerHas = (await seller.api.tickets()).some(({ id }) => id === ticket.id);
const buyerHas = (await buyer.api.tickets()).some(({ id }) => id === ticket.id);
if (sellerHas || !buyerHas) fail('The ticket did not move.');
say(`${seller.phone} no longer holds ${ticket.id}; ${buyer.phone} does`);
