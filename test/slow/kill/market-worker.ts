import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, LAMPORTS_PER_SOL, Transaction, type TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';

/** What a partner's marketplace needs to move one ticket to and fro between two fans. */
export interface WorkerPlan {
  apiUrl: string;
  rpcUrl: string;
  programId: string;
  authority: string;
  permit: string;
  fans: [Fan, Fan];
}

export interface Fan {
  wallet: string;
  accessToken: string;
}

/** What the worker was told by the service. */
export interface WorkerRecord {
  /** `transfer_id`s answered with 200. */
  claimed: string[];
  /** Other final answers to a claim, as `<status> <message>`. */
  refused: string[];
  /** Claims that ended without an answer, or with 5xx. */
  interrupted: number;
  /** Of these, how many were never asked for again. */
  abandoned: number;
}

const PAUSE_MS = 50;

/**
 * Lists, sells and claims until it is told to stop. Every other interrupted claim is repeated, as a partner should; the
 * rest are never asked for again, and are the service's alone to finish.
 */
export async function runMarket(plan: WorkerPlan, stopped: AbortSignal): Promise<WorkerRecord> {
  const connection = new Connection(plan.rpcUrl, 'confirmed');
  const gateway = createGateway(plan);
  const market = Keypair.generate();
  await connection.requestAirdrop(market.publicKey, 1_000 * LAMPORTS_PER_SOL);
  const marketAddress = market.publicKey.toBase58();
  const record: WorkerRecord = { claimed: [], refused: [], interrupted: 0, abandoned: 0 };
  const { permit, programId, authority, fans } = plan;

  async function build(instruction: TransactionInstruction): Promise<Buffer> {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: market.publicKey, recentBlockhash: blockhash }).add(instruction);
    transaction.partialSign(market);
    return transaction.serialize({ requireAllSignatures: false });
  }

  async function list(holder: Fan): Promise<void> {
    const accounts = { permit, owner: holder.wallet, authority, marketplace: marketAddress };
    const bytes = await build(encodeInstruction(programId, 'create_listing_v1', accounts, { price: 1_000n }));
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    const answer = await post(`${plan.apiUrl}/authorizations`, holder.accessToken, body);
    const [signed] = (answer?.body.transactions ?? []) as string[];
    if (signed !== undefined) await connection.sendRawTransaction(Buffer.from(signed, 'hex'));
  }

  async function sell(to: Fan): Promise<void> {
    const accounts = { permit, transfer_authority: marketAddress, destination: to.wallet };
    const bytes = await build(encodeInstruction(programId, 'transfer_permit_v1', accounts, {}));
    const body = { tickets: [{ tx: bytes.toString('hex') }] };
    while (!stopped.aborted) {
      const answer = await post(`${plan.apiUrl}/claims/execute`, to.accessToken, body);
      if (answer?.status === 200) return void record.claimed.push(bs58.encode(bytes.subarray(1, 65)));
      if (answer !== undefined && answer.status < 500) {
        return void record.refused.push(`${answer.status} ${String(answer.body.message)}`);
      }
      record.interrupted += 1;
      if (record.interrupted % 2 === 0) {
        record.abandoned += 1;
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  async function step(): Promise<void> {
    const [reading] = await gateway.permits([permit]);
    const account = requireReadable(reading);
    const holder = fans.find(({ wallet }) => wallet === account?.owner);
    const other = fans.find((fan) => fan !== holder);
    if (!account || !holder || !other) throw new Error(`${permit} is with neither fan`);
    await (account.state === 'held' ? list(holder) : sell(other));
  }

  while (!stopped.aborted) {
    await step().catch(() => undefined);
    await sleep(PAUSE_MS);
  }
  return record;
}

async function post(url: string, accessToken: string, body: object) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}
