import { z } from 'zod';
import { unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { readRaw } from './read-accounts.ts';

/** An account of any program. */
export interface RawAccount {
  /** Base58. */
  readonly owner: string;
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly data: Buffer;
}

const Account = z
  .object({
    owner: z.string(),
    executable: z.boolean(),
    lamports: z.number().nonnegative(),
    data: z.tuple([z.string(), z.literal('base64')]),
  })
  .nullable();

/**
 * Reads accounts of any program at one slot; undefined where there is none.
 * @throws DomainError `unavailable` where the cluster is unreachable, or returns a malformed account
 */
export async function readAnyAccounts(rpc: JsonRpc, addresses: readonly string[]): Promise<(RawAccount | undefined)[]> {
  const { values } = await readRaw(rpc, addresses, 0);
  return values.map((value) => {
    const { success, data: account } = Account.safeParse(value);
    if (!success) throw unavailable(new Error('The node gives an account in a form that is not known'));
    if (account === null) return undefined;
    return { ...account, lamports: BigInt(account.lamports), data: Buffer.from(account.data[0], 'base64') };
  });
}
