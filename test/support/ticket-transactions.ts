import { setTimeout as sleep } from 'node:timers/promises';
import { decodeAccount } from '@fan-api/cosign-policy/read-account';
import { PERMIT_STATES } from '@fan-api/ticket-program/description';
import { Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { rpc } from '../../packages/localnet/test/test-network.ts';
import { requireReadable } from '../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { signBytes } from '../src/chain/transaction/build-transaction.ts';
import { type ChainApp, moreTickets, type TestTicket, type User } from './chain-app.ts';
import { callFan } from './partner.ts';

/** A partner's side of the chain: builds the transactions of tickets, signs what is the partner's, submits. */
export interface Marketplace {
  /** Pays the fees and is the marketplace of the listings. */
  wallet: Keypair;
  address: string;
}

export interface BuildChoice {
  payer?: Keypair;
  /** Another fee payer than `payer`, who then can't sign. */
  feePayer?: string;
  /** Who signs; the payer by default. */
  signers?: Keypair[];
  blockhash?: string;
  /** Instructions before the ticket's own. */
  before?: TransactionInstruction[];
  /** Instructions after it. */
  after?: TransactionInstruction[];
}

export interface ListChoice extends BuildChoice {
  /** Lamports. */
  price?: bigint;
  marketplace?: string;
}

/** The listing that a transfer fulfils: its number, and its price in lamports. Both are zero for a held permit. */
export type SaleTerms = { listing: bigint; price: bigint };

/** Of a permit that is not listed. */
export const HELD: SaleTerms = { listing: 0n, price: 0n };

/** Of a permit that is listed for the first time, for the usual price. */
export const FIRST_SALE: SaleTerms = { listing: 1n, price: 1_000_000_000n };

export interface TransferChoice extends BuildChoice {
  /** By default those of the permit's account at this moment. */
  terms?: SaleTerms;
}

export async function fundedMarketplace(app: ChainApp): Promise<Marketplace> {
  const wallet = await app.network.funded();
  return { wallet, address: wallet.publicKey.toBase58() };
}

export function listInstruction(
  app: ChainApp,
  ticket: Pick<TestTicket, 'permit'>,
  owner: string,
  marketplace: string,
  price = FIRST_SALE.price,
): TransactionInstruction {
  const { programId, authority } = app.chain;
  return encodeInstruction(
    programId,
    'create_listing_v1',
    { permit: ticket.permit, owner, authority, marketplace },
    { price },
  );
}

export function cancelInstruction(app: ChainApp, ticket: Pick<TestTicket, 'permit'>, owner: string) {
  const { programId, authority } = app.chain;
  return encodeInstruction(programId, 'cancel_listing_v1', { permit: ticket.permit, owner, authority }, {});
}

export function transferInstruction(
  app: ChainApp,
  ticket: Pick<TestTicket, 'permit'>,
  from: string,
  destination: string,
  terms = HELD,
): TransactionInstruction {
  const accounts = { permit: ticket.permit, transfer_authority: from, destination };
  return encodeInstruction(app.chain.programId, 'transfer_permit_v1', accounts, terms);
}

/** What a transfer of a permit must name at this moment, by the network itself. */
export async function termsOf({ connection }: ChainApp, { permit }: Pick<TestTicket, 'permit'>): Promise<SaleTerms> {
  const account = await connection.getAccountInfo(new PublicKey(permit));
  if (account === null) return HELD;
  const { state, listing, price } = decodeAccount('Permit', account.data);
  return state === PERMIT_STATES.listed ? { listing, price } : HELD;
}

/** Legacy bytes with the signatures of `signers`. Each call makes other bytes where the blockhash has moved on. */
export async function build(
  app: ChainApp,
  instructions: TransactionInstruction[],
  choice: BuildChoice & { payer: Keypair },
): Promise<Buffer> {
  const blockhash = choice.blockhash ?? (await app.connection.getLatestBlockhash()).blockhash;
  const feePayer = choice.feePayer === undefined ? choice.payer.publicKey : new PublicKey(choice.feePayer);
  const transaction = new Transaction({ feePayer, recentBlockhash: blockhash }).add(
    ...(choice.before ?? []),
    ...instructions,
    ...(choice.after ?? []),
  );
  return signBytes(
    transaction.serialize({ requireAllSignatures: false, verifySignatures: false }),
    transaction.compileMessage().accountKeys,
    choice.signers ?? [choice.payer],
  );
}

/** A listing as a partner sends it: signed by the fee payer. */
export function listing(
  app: ChainApp,
  marketplace: Marketplace,
  ticket: Pick<TestTicket, 'permit'>,
  owner: string,
  choice: ListChoice = {},
): Promise<Buffer> {
  const instruction = listInstruction(app, ticket, owner, choice.marketplace ?? marketplace.address, choice.price);
  return build(app, [instruction], { payer: marketplace.wallet, ...choice });
}

export function cancellation(
  app: ChainApp,
  marketplace: Marketplace,
  ticket: Pick<TestTicket, 'permit'>,
  owner: string,
  choice: BuildChoice = {},
): Promise<Buffer> {
  return build(app, [cancelInstruction(app, ticket, owner)], { payer: marketplace.wallet, ...choice });
}

/** A transfer by the marketplace of a listed ticket, fully signed. */
export async function transfer(
  app: ChainApp,
  marketplace: Marketplace,
  ticket: Pick<TestTicket, 'permit'>,
  destination: string,
  choice: TransferChoice = {},
): Promise<Buffer> {
  const terms = choice.terms ?? (await termsOf(app, ticket));
  const instruction = transferInstruction(app, ticket, marketplace.address, destination, terms);
  return build(app, [instruction], { payer: marketplace.wallet, ...choice });
}

/** Base58 of the first signature. */
export function signatureOf(bytes: Uint8Array): string {
  return bs58.encode(bytes.subarray(1, 65));
}

/** Straight to the network, as anybody may. @returns the signature, once it is confirmed */
export async function land(app: ChainApp, bytes: Uint8Array): Promise<string> {
  const signature = await app.connection.sendRawTransaction(bytes);
  const { value } = await app.connection.getSignatureStatus(signature);
  if (value?.err !== null) throw new Error(`did not land: ${JSON.stringify(value)}`);
  return signature;
}

/** A call of `POST /authorizations`. */
export async function authorizeListing(
  app: ChainApp,
  user: User,
  type: 'list' | 'cancel',
  transactions: (Buffer | string)[],
) {
  return postFan(app, '/authorizations', (await user.tokens()).access_token, {
    type,
    transactions: transactions.map((bytes) => (typeof bytes === 'string' ? bytes : bytes.toString('hex'))),
  });
}

/** A call of `POST /claims/execute`. */
export async function claim(app: ChainApp, user: User, transactions: (Buffer | string)[]) {
  return postFan(app, '/claims/execute', (await user.tokens()).access_token, {
    tickets: transactions.map((bytes) => ({ tx: typeof bytes === 'string' ? bytes : bytes.toString('hex') })),
  });
}

export function postFan(app: ChainApp, path: string, token: string | undefined, body: unknown) {
  return callFan(app, path, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** New tickets of a user that stand listed on the chain. */
export async function listedTickets(
  app: ChainApp,
  marketplace: Marketplace,
  owner: User,
  count: number,
): Promise<TestTicket[]> {
  const tickets = await moreTickets(app, owner, { count });
  await Promise.all(tickets.map((ticket) => putOnSale(app, marketplace, ticket, owner)));
  return tickets;
}

/** Lists a ticket through the service and the network. */
export async function putOnSale(
  app: ChainApp,
  marketplace: Marketplace,
  ticket: TestTicket,
  owner: User,
  price = FIRST_SALE.price,
): Promise<void> {
  const bytes = await listing(app, marketplace, ticket, owner.wallet_address, { price });
  await land(app, signedBytes(await authorizeListing(app, owner, 'list', [bytes])));
}

/** Waits for another blockhash: within one, the same instructions are the same transaction, which lands once. */
export async function nextBlockhash({ connection }: ChainApp): Promise<void> {
  const { blockhash } = await connection.getLatestBlockhash();
  while ((await connection.getLatestBlockhash()).blockhash === blockhash) await sleep(50);
}

/** Closes the listing of a ticket, and lists it again for another price. */
export async function relist(
  app: ChainApp,
  marketplace: Marketplace,
  ticket: TestTicket,
  owner: User,
  price: bigint,
): Promise<void> {
  const close = await cancellation(app, marketplace, ticket, owner.wallet_address);
  await land(app, signedBytes(await authorizeListing(app, owner, 'cancel', [close])));
  await putOnSale(app, marketplace, ticket, owner, price);
}

/** A transaction of a good answer of `POST /authorizations`, by default the first. */
export function signedBytes(answer: { status: number; body: Record<string, unknown> }, index = 0): Buffer {
  const hex = ((answer.body.transactions ?? []) as string[])[index];
  if (answer.status !== 200 || hex === undefined) throw new Error(`not signed: ${JSON.stringify(answer.body)}`);
  return Buffer.from(hex, 'hex');
}

/** Owner and state of a permit as the chain has it. */
export async function onChain(app: ChainApp, ticket: Pick<TestTicket, 'permit'>) {
  const [reading] = await app.chain.gateway.permits([ticket.permit]);
  const account = requireReadable(reading);
  if (!account) throw new Error('the permit is not on the chain');
  return account;
}

/** A blockhash that came up just now, so that the service can't have asked for it before. */
export async function unseenBlockhash({ connection, network }: ChainApp): Promise<string> {
  const before = (await connection.getLatestBlockhash()).blockhash;
  // only networks of tests know that method
  await rpc(network.url, 'passSlots', [1]);
  for (;;) {
    const { blockhash } = await connection.getLatestBlockhash();
    if (blockhash !== before) return blockhash;
    await sleep(20);
  }
}

export function randomAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}
