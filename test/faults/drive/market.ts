import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, LAMPORTS_PER_SOL, Transaction, type TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { type Caller, GivenUp } from './caller.ts';
import { sentenceOf } from './fan.ts';
import type { Session } from './ledger.ts';

/** What a partner's marketplace needs to move one ticket to and fro between two fans. */
export interface MarketPlan {
  rpcUrl: string;
  programId: string;
  authority: string;
  permit: string;
  fans: [Seller, Seller];
  /** Every how many claims without an answer one is never asked for again; the service alone finishes it. */
  abandonEvery?: number;
}

export interface Seller {
  wallet: string;
  session: Session;
}

const PAUSE_MS = 250;

/** Lists, sells and claims until it is told to stop. */
export async function runMarket(caller: Caller, plan: MarketPlan): Promise<void> {
  const { ledger } = caller;
  const { permit, programId, authority, fans, abandonEvery = 0 } = plan;
  const connection = new Connection(plan.rpcUrl, 'confirmed');
  const gateway = createGateway(plan);
  const market = Keypair.generate();
  await connection.requestAirdrop(market.publicKey, 1_000 * LAMPORTS_PER_SOL);
  const marketAddress = market.publicKey.toBase58();
  let unknown = 0;

  async function build(instruction: TransactionInstruction): Promise<Buffer> {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: market.publicKey, recentBlockhash: blockhash }).add(instruction);
    transaction.partialSign(market);
    return transaction.serialize({ requireAllSignatures: false });
  }

  function refuse(seller: Seller, answer: Parameters<typeof sentenceOf>[0]): void {
    ledger.refused.push(sentenceOf(answer));
    if (answer.status === 401) seller.session.lost = sentenceOf(answer);
  }

  async function list(holder: Seller): Promise<void> {
    const accounts = { permit, owner: holder.wallet, authority, marketplace: marketAddress };
    const bytes = await build(encodeInstruction(programId, 'create_listing_v1', accounts, { price: 1_000n }));
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    const answer = await caller.insist('listing', '/fan/authorizations', jsonPost(holder, body));
    const [signed] = (answer.body.transactions ?? []) as string[];
    if (signed === undefined) return refuse(holder, answer);
    await connection.sendRawTransaction(Buffer.from(signed, 'hex'));
  }

  async function sell(to: Seller, terms: { listing: bigint; price: bigint }): Promise<void> {
    const accounts = { permit, transfer_authority: marketAddress, destination: to.wallet };
    const bytes = await build(encodeInstruction(programId, 'transfer_permit_v1', accounts, terms));
    const call = jsonPost(to, { tickets: [{ tx: bytes.toString('hex') }] });
    const first = await caller.send('claim', '/fan/claims/execute', call);
    if (first === undefined) unknown += 1;
    if (first === undefined && abandonEvery > 0 && unknown % abandonEvery === 0) {
      ledger.abandoned += 1;
      return;
    }
    const isFinal = first !== undefined && first.status < 500;
    const answer = isFinal ? first : await caller.insist('claim', '/fan/claims/execute', call);
    if (answer.status === 200) ledger.claimed.push(bs58.encode(bytes.subarray(1, 65)));
    else refuse(to, answer);
  }

  async function step(): Promise<void> {
    const [reading] = await gateway.permits([permit]);
    const account = requireReadable(reading);
    const holder = fans.find(({ wallet }) => wallet === account?.owner);
    const other = fans.find((fan) => fan !== holder);
    if (!account || !holder || !other) throw new Error(`${permit} is with neither fan`);
    const { state, listing, price } = account;
    await (state === 'held' ? list(holder) : sell(other, { listing, price }));
  }

  while (!caller.stopped.aborted) {
    await step().catch((error: unknown) => {
      if (!(error instanceof GivenUp)) ledger.refused.push(`the market: ${String(error).slice(0, 120)}`);
    });
    await sleep(PAUSE_MS);
  }
}

function jsonPost({ session }: Seller, body: object): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${session.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
