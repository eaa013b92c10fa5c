import { z } from 'zod';
import { askIfGiven, CONFIRMED } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

/** What a transaction took from its payer, in lamports. */
export interface TransactionCost {
  readonly fee: bigint;
  /** What went into new accounts; 0 where the transaction failed. */
  readonly rent: bigint;
}

const Lamports = z.int().nonnegative();
const Executed = z.object({
  meta: z.object({
    fee: Lamports,
    preBalances: z.array(Lamports).min(1),
    postBalances: z.array(Lamports).min(1),
  }),
});

/**
 * Reads what a landed transaction cost; its payer is the first of its accounts.
 * @returns undefined where the node does not serve it, or in an unknown shape
 * @throws DomainError `unavailable` where the node does not answer
 */
export async function readCost(rpc: JsonRpc, signature: string): Promise<TransactionCost | undefined> {
  const options = { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 };
  const found = await askIfGiven(rpc, Executed.nullable(), 'getTransaction', [signature, options]);
  if (!found) return undefined;
  const { fee, preBalances, postBalances } = found.meta;
  const paid = (preBalances[0] ?? 0) - (postBalances[0] ?? 0);
  return { fee: BigInt(fee), rent: BigInt(Math.max(0, paid - fee)) };
}
