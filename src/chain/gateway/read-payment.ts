import { decodeBase58 } from '@fan-api/solana-wire/base58';
import {
  DISCRIMINATOR_SIZE,
  INSTRUCTION_DISCRIMINATORS,
  type InstructionName,
} from '@fan-api/ticket-program/description';
import { z } from 'zod';
import { askIfGiven, FINALIZED } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

/** What a transaction did to an account, and by which instructions of our program. */
export interface Payment {
  /** When its block was made; null where the node does not say. */
  readonly at: Date | null;
  /** Lamports; 0 where another account paid it. */
  readonly fee: bigint;
  /** Lamports that the account has less since, with the fee; negative where it has more. */
  readonly paid: bigint;
  readonly instructions: readonly InstructionName[];
}

const Lamports = z.int().nonnegative();
const Paid = z
  .object({
    blockTime: z.int().nullish(),
    transaction: z.object({
      message: z.object({
        accountKeys: z.array(z.string()).min(1),
        instructions: z.array(z.object({ programIdIndex: z.int().nonnegative(), data: z.string() })),
      }),
    }),
    meta: z.object({ fee: Lamports, preBalances: z.array(Lamports), postBalances: z.array(Lamports) }),
  })
  .nullable();

const OPTIONS = { ...FINALIZED, encoding: 'json', maxSupportedTransactionVersion: 0 } as const;

/**
 * Reads what a final transaction cost an account.
 * @returns undefined where the node does not serve it, in an unknown shape, or where the account is not written in the message itself
 * @throws DomainError `unavailable` where the node does not answer
 */
export async function readPayment(
  rpc: JsonRpc,
  programId: string,
  account: string,
  signature: string,
): Promise<Payment | undefined> {
  const found = await askIfGiven(rpc, Paid, 'getTransaction', [signature, OPTIONS]);
  if (!found) return undefined;
  const { accountKeys, instructions } = found.transaction.message;
  const { fee, preBalances, postBalances } = found.meta;
  const index = accountKeys.indexOf(account);
  const [before, after] = [preBalances[index], postBalances[index]];
  if (before === undefined || after === undefined) return undefined;
  return {
    at: found.blockTime == null ? null : new Date(found.blockTime * 1000),
    fee: index === 0 ? BigInt(fee) : 0n,
    paid: BigInt(before) - BigInt(after),
    instructions: instructions.flatMap(({ programIdIndex, data }) =>
      accountKeys[programIdIndex] === programId ? (nameOf(data) ?? []) : [],
    ),
  };
}

const NAMES = Object.entries(INSTRUCTION_DISCRIMINATORS) as [InstructionName, Uint8Array][];

function nameOf(data: string): InstructionName | undefined {
  const discriminator = Buffer.from(decodeBase58(data) ?? []).subarray(0, DISCRIMINATOR_SIZE);
  return NAMES.find(([, bytes]) => discriminator.equals(bytes))?.[0];
}
