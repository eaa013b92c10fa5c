import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barcodeOf } from './decide-entry.ts';
import { asNdjson } from './plan.ts';
import type { Stand } from './stand.ts';

const [SELLER, BUYER] = ['+12025559001', '+12025559002'];
const EVENT = 'open-day';
const HOUR = 3_600_000;

/** Leaves a stand running until Ctrl-C, and prints what a company's developer can try on it: an import, a sale, the feed, a scan. */
export async function stayOn(stand: Stand): Promise<void> {
  const { folder, origin, adminUrl, connection, tokens, gateUrl } = stand;
  const [rows, sale, wallet] = ['try.ndjson', 'try-sale.json', 'try-wallet.json'].map((name) => join(folder, name));
  const [partner] = stand.partners;
  if (!rows || !sale || !wallet || !partner) throw new Error('a stand has partners');
  const time = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  const ticket = (at: number, holder_phone: string) => ({
    ...{ kind: 'ticket', reference: `open-${at}`, event: EVENT, ticket_type: 'day', label: `Seat ${at}`, holder_phone },
  });
  const event = { kind: 'event', reference: EVENT, name: 'Open day', starts_at: time(48), ends_at: time(54) };
  const type = { kind: 'ticket_type', event: EVENT, reference: 'day', name: 'Day ticket' };
  await writeFile(rows, asNdjson([event, type, ticket(1, SELLER), ticket(2, BUYER)]));
  await writeFile(wallet, JSON.stringify([...partner.wallet.secretKey]));
  const urls = {
    auth_url: origin,
    api_url: `${origin}/fan`,
    login_url: `${origin}/login`,
    rpc_url: connection.rpcEndpoint,
  };
  const client = {
    client_id: partner.clientId,
    redirect_uri: partner.redirectUri,
    mode: 'production',
    keypair: wallet,
  };
  await writeFile(sale, JSON.stringify({ ...client, ...urls, test_users: [{ phone: SELLER }, { phone: BUYER }] }));
  const scan = (name: string, phone: string) =>
    `curl -s ${gateUrl}/scan -d '${JSON.stringify({ scan: name, ticket: 'open-1', barcode: barcodeOf('open-1', phone) })}'`;
  console.log(`
service     ${origin}  (console and imports: ${adminUrl}; codes by SMS: ${origin}/login/inbox)
box office  imports every *.ndjson in ${stand.rowFolder}; ${stand.boxOfficeUrl} has what came of them
gate        ${gateUrl}  POST /scan, GET /tickets; its memory: ${stand.gateFile}
network     ${connection.rpcEndpoint}
tokens      box office ${tokens.boxOffice}
            gate       ${tokens.gate}

1. Import an event with a ticket for each of two fans:
curl -s -T ${rows} -X POST -H "Authorization: Bearer ${tokens.boxOffice}" -H "Content-Type: application/x-ndjson" ${adminUrl}/import

2. Some seconds later let the first fan list and sell open-1 to the second (type the codes of the inbox above):
npm run demo -- ${sale}

3. Read it in the feed:
curl -s -H "Authorization: Bearer ${tokens.gate}" "${adminUrl}/feed?event=${EVENT}"

4. Show the seller’s barcode at the doors, then the buyer’s; the feed says \`used\` after that:
${scan('seller', SELLER)}; ${scan('buyer', BUYER)}

Ctrl-C ends it.`);
  await new Promise(() => undefined);
}
