import { setTimeout as sleep } from 'node:timers/promises';
import { signEd25519 } from '@fan-api/solana-wire/ed25519';
import { ComputeBudgetProgram, Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { type Chain, chainOf } from '../../src/chain/chains.ts';
import { isUnreadable } from '../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { Client } from '../../src/entities/client.ts';
import { Fan } from '../../src/entities/fan.ts';
import { issueTokens } from '../../src/oauth/token/issue-tokens.ts';
import { prepared } from '../../src/platform/database/prepared.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { grantPermit } from '../../src/sandbox/test-permits.ts';
import { onchainEventId, onchainTicketId } from '../../src/tickets/ticket/onchain-ids.ts';
import { createGrant, testEvent } from './stage.ts';

/** What the benches of listings and claims trade with: two fans, many permits of the first, a marketplace with funds. */
export interface Market {
  context: ServiceContext;
  chain: Chain;
  /** Pays the fees, and sells what is listed. */
  marketplace: Keypair;
  /** The first holds the permits of the next claims. */
  fans: readonly [Trader, Trader];
  /** Addresses of permits that stand on the chain and in the database. */
  permits: { claims: string[]; listings: string[] };
  /** Holds the permits of listings, always. */
  lister: Trader;
}

export interface Trader {
  /** A new access token for listings and claims: one lives for an hour at most. */
  token(): Promise<string>;
  /** Base58. */
  wallet: string;
}

const ACTIONS = ['fan:tickets:read', 'fan:listings:write', 'fan:claims:write'];
const FUNDS_LAMPORTS = 100_000_000_000;
/** As many as a stretch of claims moves. */
const FOR_CLAIMS = 640;
/** So many different ones that listings side by side seldom want the same. */
const FOR_LISTINGS = 256;

/** Opens a market beside the server that runs on the same database and network. */
export async function openMarket(context: ServiceContext, kit: StarterKit): Promise<Market> {
  const chain = chainOf(context.chains, 'sandbox');
  const marketplace = Keypair.generate();
  await chain.gateway.airdrop(marketplace.publicKey.toBase58(), FUNDS_LAMPORTS);
  const [first, second] = kit.test_users;
  if (!first || !second) throw new Error('the starter kit has no two test users');
  const fans = [await openTrader(context, kit, first), await openTrader(context, kit, second)] as const;
  const issued = await issuePermits(context, chain, kit);
  const permits = { claims: issued.slice(0, FOR_CLAIMS), listings: issued.slice(FOR_CLAIMS) };
  return { context, chain, marketplace, fans, lister: fans[0], permits };
}

/** A grant of a test user, and tokens of it. */
async function openTrader(
  context: ServiceContext,
  kit: StarterKit,
  fan: StarterKit['test_users'][number],
): Promise<Trader> {
  const grant = createGrant(context, kit, fan.id, ACTIONS.join(' '), ACTIONS);
  await context.em.flush();
  const { id: grantId, mode: grantMode } = grant;
  const of = { userId: fan.id, clientId: kit.client_id, mode: 'sandbox', grantId, grantMode, scopes: ACTIONS } as const;
  const rest = { grantedActions: ACTIONS, authTime: 0, amr: undefined, nonce: null, refreshToken: null };
  return {
    wallet: fan.wallet_address,
    token: async () => (await issueTokens(context, { ...of, ...rest, issuedAt: context.now() })).access_token,
  };
}

/** On the chain first: what waits in the database for it, a job of the server would issue too. */
async function issuePermits(context: ServiceContext, chain: Chain, kit: StarterKit): Promise<string[]> {
  const { em, now, signer } = context;
  const client = await em.findOneOrFail(Client, { id: kit.client_id }, { populate: ['partner'] });
  const fan = await em.findOneOrFail(Fan, { id: knownId('usr', kit.test_users[0]?.id ?? '') });
  const { event, ticketType } = testEvent(context);
  const granted = Array.from({ length: FOR_CLAIMS + FOR_LISTINGS }, () =>
    grantPermit(context, { fan, partner: client.partner, ticketType }, 'system'),
  );
  const { programId, authority, payer } = chain;
  const owner = kit.test_users[0]?.wallet_address ?? '';
  const ofEvent = { event: event.tixEventId, authority, payer };
  const register = encodeInstruction(
    programId,
    'register_event_v1',
    { ...ofEvent, organiser: authority },
    { event_id: onchainEventId(event.id), closable_from: 0n },
  );
  const sign = (instruction: TransactionInstruction, blockhash: string) =>
    transactionOf([instruction], blockhash, [payer, authority], (address, message) => signer.sign(address, message));
  await submit(chain, await sign(register, await chain.gateway.latestBlockhash()));
  const blockhash = await chain.gateway.latestBlockhash();
  await inBatches(granted, async ({ ticket, permit }) => {
    const accounts = { ...ofEvent, permit: permit.tixPermitId };
    const issue = encodeInstruction(programId, 'issue_permit_v1', accounts, {
      ticket_id: onchainTicketId(ticket.id),
      owner,
    });
    await submit(chain, await sign(issue, blockhash));
  });
  event.registeredAt = now();
  for (const { permit } of granted) permit.issuedAt = now();
  await em.flush();
  return granted.map(({ permit }) => permit.tixPermitId);
}

/** Of each listing, in lamports. */
const PRICE = 1_000n;
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
  const transfers = await inBatches(held.slice(0, count), async ({ permit, listing }) => {
    const accounts = { permit, owner: seller.wallet, authority, marketplace: payer };
    const list = encodeInstruction(programId, 'create_listing_v1', accounts, { price: PRICE });
    await submit(chain, await transactionOf([freshPrice(), list], blockhash, [payer], signAll));
    const parties = { permit, transfer_authority: payer, destination: buyer.wallet };
    const terms = { listing: listing + 1n, price: PRICE };
    const transfer = encodeInstruction(programId, 'transfer_permit_v1', parties, terms);
    return transactionOf([freshPrice(), transfer], blockhash, [payer], signMarketplace);
  });
  await untilFollowed(market);
  market.fans = [buyer, seller];
  return { buyer, transfers };
}

/** Those that the wallet holds and has not listed: a claim that failed leaves its permit with the seller. */
async function heldBy({ gateway }: Chain, wallet: string, permits: readonly string[]) {
  const accounts = await gateway.permits(permits);
  return permits.flatMap((permit, at) => {
    const account = accounts[at];
    const isHeld = account && !isUnreadable(account) && account.owner === wallet && account.state === 'held';
    return isHeld ? [{ permit, listing: account.listing }] : [];
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

/** Signs with the key of an address; undefined leaves the slot empty for somebody else. */
type Sign = (address: string, message: Uint8Array) => Promise<Uint8Array | undefined>;

const SIGNATURE_LENGTH = 64;
const AT_ONCE = 16;

/**
 * A legacy transaction, signed as far as `sign` does. web3.js signs ten times as slowly as `node:crypto`, so only its
 * compiler is used.
 * @param signers base58, the fee payer first
 */
export async function transactionOf(
  instructions: TransactionInstruction[],
  recentBlockhash: string,
  signers: readonly string[],
  sign: Sign,
): Promise<Buffer> {
  const feePayer = new PublicKey(signers[0] ?? '');
  const compiled = new Transaction({ feePayer, recentBlockhash }).add(...instructions).compileMessage();
  const message = compiled.serialize();
  const slots = compiled.accountKeys.slice(0, compiled.header.numRequiredSignatures);
  const signatures = await Promise.all(slots.map((key) => sign(key.toBase58(), message)));
  const filled = signatures.map((signature) => signature ?? Buffer.alloc(SIGNATURE_LENGTH));
  return Buffer.concat([Buffer.from([slots.length]), ...filled, message]);
}

/** Signs for one wallet and leaves the other slots empty. */
export function signerOf(wallet: Keypair): Sign {
  const address = wallet.publicKey.toBase58();
  return async (of, message) => (of === address ? signEd25519(wallet.secretKey.subarray(0, 32), message) : undefined);
}

let transactionsMade = 0;

/** A price that no transaction of this run had before: the same message twice would be one transaction. */
export function freshPrice(): TransactionInstruction {
  transactionsMade += 1;
  return ComputeBudgetProgram.setComputeUnitPrice({ microLamports: transactionsMade });
}

/** @throws Error where the network does not take it */
export async function submit({ gateway }: Chain, transaction: Uint8Array): Promise<void> {
  const submission = await gateway.submit(transaction);
  if (submission.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(submission)}`);
}

/** Works on several at a time. @returns the results in the order of `items` */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
