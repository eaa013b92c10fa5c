import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../../src/chain/chains.ts';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { prepared } from '../../src/database/prepared.ts';
import { readAccounts, runTransfers } from './claims-floor.ts';
import { type Driven, drive } from './drive.ts';
import type { Market, Trader } from './listings-market.ts';
import { freshPrice, inBatches, signerOf, submit, transactionOf } from './listings-transaction.ts';

const CONCURRENCY = 8;
const PER_REQUEST = 10;
const REQUESTS = 30;
export const CLAIM_PERMITS = REQUESTS * PER_REQUEST;
const FOLLOWING_PATIENCE_MS = 20_000;
const POLL_MS = 50;

/** Sales that are listed on the chain and wait for their claims. */
interface Sales {
  buyer: Trader;
  /** Signed transfers, one per permit. */
  transfers: Buffer[];
  /** The chain before any of them. */
  accounts: Awaited<ReturnType<typeof readAccounts>>;
}

interface Cursor {
  last_signature: string | null;
  last_slot: string | null;
}

const readCursor = prepared<Cursor>(`select last_signature from chain_cluster where mode = 'sandbox'`);

/**
 * Round after round the permits go from one fan to the other and back.
 * @returns `claim` for a round of the real thing, `floor` for the same transactions without it
 */
export function openSeason(market: Market): { claim(): Promise<Driven>; floor(): Promise<Driven> } {
  let [seller, buyer] = market.fans;
  let sales: Sales | undefined;
  return {
    async claim() {
      sales = await openSales(market, seller, buyer);
      const driven = await executeClaims(market, sales);
      [seller, buyer] = [buyer, seller];
      return driven;
    },
    async floor() {
      if (sales === undefined) throw new Error('claim first');
      return runTransfers(market.chain.programId, sales.accounts, sales.transfers, PER_REQUEST);
    },
  };
}

/** Lists every permit for whoever holds them all now, and has the marketplace sign their transfer to the other fan. */
async function openSales(market: Market, seller: Trader, buyer: Trader): Promise<Sales> {
  const { chain, marketplace, permits, context } = market;
  const { programId, authority, gateway } = chain;
  const payer = marketplace.publicKey.toBase58();
  const signMarketplace = signerOf(marketplace);
  const signAll = async (address: string, message: Uint8Array) =>
    (await signMarketplace(address, message)) ?? context.signer.sign(address, message);
  const blockhash = await gateway.latestBlockhash();
  const transfers = await inBatches(permits.slice(0, CLAIM_PERMITS), async (permit) => {
    const accounts = { permit, owner: seller.wallet, authority, marketplace: payer };
    const list = encodeInstruction(programId, 'create_listing_v1', accounts, { price: 1_000n });
    await submit(chain, await transactionOf([freshPrice(), list], blockhash, [payer], signAll));
    const parties = { permit, transfer_authority: payer, destination: buyer.wallet };
    const transfer = encodeInstruction(programId, 'transfer_permit_v1', parties, {});
    return transactionOf([freshPrice(), transfer], blockhash, [payer], signMarketplace);
  });
  await untilFollowed(market);
  return { buyer, transfers, accounts: await readAccounts(chain, marketplace.publicKey, permits) };
}

/** The server takes in what happens on the chain; that is no part of what is measured. */
async function untilFollowed({ chain, context }: Market): Promise<void> {
  const givenUpAt = performance.now() + FOLLOWING_PATIENCE_MS;
  while (performance.now() < givenUpAt) {
    const [cursor] = await readCursor(context.pool, []);
    if (cursor && (await isFollowed(chain, cursor))) return;
    await sleep(POLL_MS);
  }
  throw new Error('the server does not follow the chain');
}

async function isFollowed(
  { gateway }: Chain,
  { last_signature: signature, last_slot: slot }: Cursor,
): Promise<boolean> {
  const since = signature === null ? null : { signature, slot: Number(slot ?? 0) };
  return (await gateway.programSignatures(since)).transactions.length === 0;
}

/** `POST /claims/execute` with 10 transfers, 8 requests at a time: every claim is confirmed when its request is answered. */
function executeClaims({ context }: Market, { buyer, transfers }: Sales): Promise<Driven> {
  const { apiUrl } = context.config;
  const bodies = Array.from({ length: REQUESTS }, (_, at) => {
    const claimed = transfers.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST);
    return JSON.stringify({ tickets: claimed.map((transfer) => ({ tx: transfer.toString('hex') })) });
  });
  return drive({
    url: apiUrl,
    connections: CONCURRENCY,
    amount: REQUESTS,
    requests: [
      {
        method: 'POST',
        path: `${new URL(apiUrl).pathname}/claims/execute`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${buyer.token}` },
        // a connection makes one more request ready than it sends
        setupRequest: (request) => ({ ...request, body: bodies.pop() ?? '' }),
      },
    ],
  });
}
