import { setTimeout as sleep } from 'node:timers/promises';
import {
  ComputeBudgetProgram,
  type Connection,
  type Keypair,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';

/** A transaction whose fee `payer` pays and has signed; other signers sign later. In hex. */
export async function prepare(
  connection: Connection,
  payer: Keypair,
  instruction: TransactionInstruction,
): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
    instruction,
  );
  transaction.partialSign(payer);
  return transaction.serialize({ requireAllSignatures: false }).toString('hex');
}

const ATTEMPTS = 5;

/** A call of the Fan API. What failed for a reason that passes is sent again, the same bytes. */
export async function callFanApi<Answer>(apiUrl: string, token: string, path: string, body: object): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) return (await answer.json()) as Answer;
    const passes = answer.headers.has('retry-after');
    if (!passes || attempt === ATTEMPTS) {
      const { message } = (await answer.json()) as { message: string };
      throw new Error(`${answer.status} ${answer.headers.get('x-error-code')}: ${message}`);
    }
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}

/** Has 1 to 4 listings (or cancellations) signed, all or none. */
export async function authorize(apiUrl: string, token: string, type: 'list' | 'cancel', transactions: string[]) {
  const answer = await callFanApi<{ transactions: string[] }>(apiUrl, token, '/authorizations', { type, transactions });
  return answer.transactions;
}

/** Submits what came back. Until then nothing has happened on the chain. */
export async function submit(connection: Connection, signed: string): Promise<string> {
  const signature = await connection.sendRawTransaction(Buffer.from(signed, 'hex'), {
    preflightCommitment: 'confirmed',
  });
  const { value } = await connection.confirmTransaction(signature, 'confirmed');
  if (value.err !== null) throw new Error(`the cluster refused ${signature}: ${JSON.stringify(value.err)}`);
  return signature;
}

export interface ExecutedClaim {
  tix_event_id: string;
  tix_permit_id: string;
  ticket_id: string;
  signer_wallet: string;
  destination_wallet: string;
  transfer_id: string;
}

/** Claims 1 to 10 transfers for the fan behind the token. The service submits them: you don't. */
export async function claim(apiUrl: string, token: string, transfers: string[]): Promise<ExecutedClaim[]> {
  const tickets = transfers.map((tx) => ({ tx }));
  return (await callFanApi<{ tickets: ExecutedClaim[] }>(apiUrl, token, '/claims/execute', { tickets })).tickets;
}
