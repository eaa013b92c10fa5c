import { generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { type Driven, drive } from './drive.ts';
import type { Market } from './listings-market.ts';
import { freshPrice, inBatches, signerOf, transactionOf } from './listings-transaction.ts';

const CONCURRENCY = 8;
const PER_REQUEST = 4;
const REQUESTS = 400;
/** So many different permits that requests side by side seldom want the same one. */
const LISTING_PERMITS = 64;
const SIGNATURES_PER_REQUEST = 2 * PER_REQUEST;
const FLOOR_MS = 1_000;

/** `POST /authorizations` with 4 listings that nobody has seen before, 8 requests at a time. */
export async function signListings(market: Market): Promise<Driven> {
  // each connection makes its next request ready before it knows that it was the last
  const bodies = await listingBodies(market, REQUESTS + 2 * CONCURRENCY);
  return drive({
    url: market.context.config.apiUrl,
    connections: CONCURRENCY,
    amount: REQUESTS,
    requests: [
      {
        method: 'POST',
        path: `${new URL(market.context.config.apiUrl).pathname}/authorizations`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${market.fans[0].token}` },
        setupRequest(request) {
          const body = bodies.pop();
          if (body === undefined) throw new Error('the listings have run out');
          return { ...request, body };
        },
      },
    ],
  });
}

async function listingBodies({ chain, marketplace, fans, permits }: Market, count: number): Promise<string[]> {
  const blockhash = await chain.gateway.latestBlockhash();
  const payer = marketplace.publicKey.toBase58();
  const accounts = { owner: fans[0].wallet, authority: chain.authority, marketplace: payer };
  const wanted = Array.from({ length: count * PER_REQUEST }, (_, at) => permits[at % LISTING_PERMITS] ?? '');
  const transactions = await inBatches(wanted, async (permit) => {
    const list = encodeInstruction(chain.programId, 'create_listing_v1', { ...accounts, permit }, { price: 1_000n });
    return (await transactionOf([freshPrice(), list], blockhash, [payer], signerOf(marketplace))).toString('base64');
  });
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({ type: 'list', transactions: transactions.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST) }),
  );
}

/** The floor: the 8 Ed25519 signatures of such a request and nothing else, by the faster of the two ways that Node has. */
export async function signEight(): Promise<Driven> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const message = Buffer.alloc(330, 7);
  const signOffLoop = promisify(sign);
  const onLoop = await requestsPerSecond(async () => sign(null, message, privateKey));
  const offLoop = await requestsPerSecond(() => signOffLoop(null, message, privateKey));
  return { perSecond: Math.max(onLoop, offLoop), p50: 0, p99: 0 };
}

async function requestsPerSecond(signOnce: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let requests = 0;
  const worker = async () => {
    while (performance.now() - started < FLOOR_MS) {
      await Promise.all(Array.from({ length: SIGNATURES_PER_REQUEST }, signOnce));
      requests++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (requests * 1000) / (performance.now() - started);
}
