import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../../../src/chain/chains.ts';
import { isUnreadable } from '../../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { prepared } from '../../../src/platform/database/prepared.ts';
import type { Market, Trader } from './market.ts';
import { freshPrice, inBatches, signerOf, submit, transactionOf } from './transactions.ts';

const FOLLOWING_PATIENCE_MS = 20_000;
const POLL_MS = 50;

/** Sales that are listed on the chain and wait for their claims. */
interface Sales {
  buyer: Trader;
  /** Signed transfers, one per permit. */
  transfers: Buffer[];
}

interface Cursor {
  last_signature: string | null;
  last_slot: string | null;
}

const readCursor = prepared<Cursor>(`select last_signature, last_slot from chain_cluster where mode = 'sandbox'`);

/**
 * Lists permits for whoever holds them now, and has the marketplace sign their transfer to the other fan. When these are claimed, the
 * next sales go back.
 */
export async function openSales(market: Market, count: number): Promise<Sales> {
  const { chain, marketplace, permits, context } = market;
  const [seller, buyer] = market.fans;
  const { programId, authority, gateway } = chain;
  const payer = marketplace.publicKey.toBase58();
  const signMarketplace = signerOf(marketplace);
  const signAll = async (address: string, message: Uint8Array) =>
    (await signMarketplace(address, message)) ?? context.signer.sign(address, message);
  const blockhash = await gateway.latestBlockhash();
  const held = await heldBy(chain, seller.wallet, permits.claims);
  const transfers = await inBatches(held.slice(0, count), async (permit) => {
    const accounts = { permit, owner: seller.wallet, authority, marketplace: payer };
    const list = encodeInstruction(programId, 'create_listing_v1', accounts, { price: 1_000n });
    await submit(chain, await transactionOf([freshPrice(), list], blockhash, [payer], signAll));
    const parties = { permit, transfer_authority: payer, destination: buyer.wallet };
    const transfer = encodeInstruction(programId, 'transfer_permit_v1', parties, {});
    return transactionOf([freshPrice(), transfer], blockhash, [payer], signMarketplace);
  });
  await untilFollowed(market);
  market.fans = [buyer, seller];
  return { buyer, transfers };
}

/** Those that the wallet holds and has not listed: a claim that failed leaves its permit with the seller. */
async function heldBy({ gateway }: Chain, wallet: string, permits: readonly string[]): Promise<string[]> {
  const accounts = await gateway.permits(permits);
  return permits.filter((_, at) => {
    const account = accounts[at];
    return account && !isUnreadable(account) && account.owner === wallet && account.state === 'held';
  });
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
