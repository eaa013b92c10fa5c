import type { Ticket } from '@fan-api/sdk';
import { sendCall } from '../calls/call.ts';
import { type AnsweredCall, bearerRequest, send } from '../calls/send.ts';
import { fanOf, fetchTickets } from '../partner.ts';
import { addCall } from '../state.ts';
import { accessTokenFor } from '../tokens/refresh-tokens.ts';
import { buildTransaction } from '../trade/build-transaction.ts';
import { openFundedWallet, openNetwork } from '../trade/open-network.ts';
import type { BuiltTransaction } from '../trade/sale.ts';
import type { Bench, CallExperiment } from './experiment.ts';

/** More calls than this are not sent from a page. */
const MOST_CALLS = 10_000;
const AT_ONCE = 12;

/** Mistakes with the Fan API and its transactions. */
export const FAN_API_EXPERIMENTS: readonly CallExperiment[] = [
  {
    id: 'unknown_route',
    title: 'An unknown address',
    detail: 'GET /ticket, without the s.',
    expects: { status: 404, code: 'unknown_route' },
    run: async ({ config, sub }) =>
      send('An unknown address', bearerRequest('GET', `${config.api_url}/ticket`, await accessTokenFor(config, sub))),
  },
  {
    id: 'wrong_method',
    title: 'A wrong method',
    detail: 'POST /tickets.',
    expects: { status: 405, code: 'method_not_allowed' },
    run: async ({ config, sub }) =>
      send('A wrong method', bearerRequest('POST', `${config.api_url}/tickets`, await accessTokenFor(config, sub), {})),
  },
  {
    id: 'unknown_field',
    title: 'An unknown field',
    detail: 'POST /authorizations with price beside type and transactions.',
    expects: { status: 400, code: 'invalid_request' },
    run: async ({ config, sub }) => {
      const body = { type: 'list', transactions: ['00'], price: 2 };
      const token = await accessTokenFor(config, sub);
      return send('An unknown field', bearerRequest('POST', `${config.api_url}/authorizations`, token, body));
    },
  },
  {
    id: 'no_transaction',
    title: 'Bytes that are not a transaction',
    detail: 'POST /authorizations with one byte.',
    expects: { status: 400, code: 'truncated' },
    run: (bench) => askToSign(bench, 'list', '00'),
  },
  {
    id: 'tampered_transaction',
    title: 'A tampered transaction',
    detail: 'The price is changed after your wallet has signed.',
    expects: { status: 400, code: 'signature_invalid' },
    run: async (bench) => {
      const built = await builtListing(bench, '2');
      return askToSign(bench, 'list', withChangedPrice(built));
    },
  },
  {
    id: 'price_zero',
    title: 'A listing with the price zero',
    detail: 'The transaction is complete and signed, but its price is 0.',
    expects: { status: 400, code: 'price_zero' },
    run: async (bench) => {
      const { hex } = await builtListing(bench, '0');
      return askToSign(bench, 'list', hex);
    },
  },
  {
    id: 'wrong_instruction',
    title: 'A listing sent as a cancellation',
    detail: 'type says cancel, the transaction lists.',
    expects: { status: 400, code: 'wrong_instruction' },
    run: async (bench) => {
      const { hex } = await builtListing(bench, '2');
      return askToSign(bench, 'cancel', hex);
    },
  },
  {
    id: 'unknown_ticket',
    title: 'A ticket that does not exist',
    detail: 'The permit of a made-up ticket, with this fan as its owner.',
    expects: { status: 404, code: 'not_found' },
    run: async (bench) => {
      const network = await openNetwork(bench.config);
      const { program, module } = network;
      const ticket = await firstTicket(bench);
      const wallet = await openFundedWallet(network);
      // 32 random bytes, in base58 like any address
      const madeUp = program.permitAddress({ ...ticket, tix_ticket_id: module.newWallet().address });
      const listing = await program.createListing(ticket, { marketplace: wallet.publicKey, lamports: 1n });
      const { address } = await program.readPermit(ticket);
      listing.keys = listing.keys.map((key) => (key.pubkey.toBase58() === address ? { ...key, pubkey: madeUp } : key));
      const hex = module.transactionHex(await program.prepare(listing, [wallet]));
      return askToSign(bench, 'list', hex);
    },
  },
  {
    id: 'rate_limit',
    title: 'Too many calls',
    detail:
      'GET /tickets again and again, until this grant’s limit for a minute is reached. Other fans are not affected.',
    warning: 'Takes a while, and this fan’s calls are refused until the minute is over.',
    expects: { status: 429, code: 'rate_limited' },
    run: reachRateLimit,
  },
];

/** `POST /authorizations` with any transaction. */
async function askToSign({ config, sub }: Bench, type: 'list' | 'cancel', hex: string): Promise<AnsweredCall> {
  const request = bearerRequest('POST', `${config.api_url}/authorizations`, await accessTokenFor(config, sub), {
    type,
    transactions: [hex],
  });
  return send(type === 'list' ? 'Have the listing signed' : 'Have the cancellation signed', request);
}

async function firstTicket(bench: Bench): Promise<Ticket> {
  if (fanOf(bench.sub).tickets === undefined) await fetchTickets(bench.config, bench.sub);
  const [ticket] = fanOf(bench.sub).tickets?.tickets ?? [];
  if (ticket === undefined) throw new Error('This fan has no ticket to try it with.');
  return ticket;
}

async function builtListing(bench: Bench, price: string): Promise<BuiltTransaction> {
  return buildTransaction(bench.config, { kind: 'list', ticket: await firstTicket(bench), price });
}

/** The transaction with another price in its instruction, and the old signature. */
function withChangedPrice({ hex, instruction }: Pick<BuiltTransaction, 'hex' | 'instruction'>): string {
  const { data } = instruction;
  const changed = `${data.slice(0, 16)}${data.slice(16, 18) === 'ff' ? '00' : 'ff'}${data.slice(18)}`;
  const place = hex.lastIndexOf(data);
  return `${hex.slice(0, place)}${changed}${hex.slice(place + data.length)}`;
}

/** Shows only the first and the last of the many calls. */
async function reachRateLimit({ config, sub, progress, signal }: Bench): Promise<AnsweredCall> {
  const url = `${config.api_url}/tickets?limit=1`;
  let token = await accessTokenFor(config, sub);
  const first = await send('The first of many calls', bearerRequest('GET', url, token));
  const remaining = Number(first.answer.headers['ratelimit-remaining'] ?? Number.NaN);
  if (first.answer.status === 429) return first;
  if (!(remaining <= MOST_CALLS)) throw new Error(`${remaining} calls are left in this minute, too many for a page.`);
  let sent = 1;
  let refused: AnsweredCall | undefined;
  const callOnAndOn = async (): Promise<void> => {
    while (refused === undefined && !signal.aborted && sent <= MOST_CALLS) {
      sent += 1;
      if (sent % 50 === 0) progress(`${sent} calls sent`);
      const request = bearerRequest('GET', url, token);
      const at = new Date().toISOString();
      const { answer, failure } = await sendCall(request);
      if (answer === undefined) throw new Error(failure ?? 'No answer.');
      if (answer.status === 401) token = await accessTokenFor(config, sub);
      if (answer.status === 429 && refused === undefined) {
        refused = { ...addCall({ title: `Call ${sent} of many`, at, request, answer }), answer };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callOnAndOn));
  progress('');
  if (refused === undefined) throw new Error(signal.aborted ? 'Stopped.' : `${sent} calls were all answered.`);
  return refused;
}
