import bs58 from 'bs58';
import type { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { base58Of, keyAt } from '../key.ts';
import { RpcError } from '../rpc-error.ts';
import { u64 } from '../u64.ts';

/** The most bytes an account may have to be sent in base58, which costs the square of its length. */
const MAX_BASE58_BYTES = 128;

export const accountFields = {
  encoding: z.enum(['binary', 'base58', 'base64', 'jsonParsed']).nullish(),
  dataSlice: z.object({ offset: z.int().nonnegative(), length: z.int().nonnegative() }).nullish(),
};

const AccountFields = z.object(accountFields);
export type AccountEncoding = z.infer<typeof AccountFields>;

/**
 * An account as a cluster sends it. Without `encoding` the data is a bare base58 string, the cluster's oldest form;
 * `jsonParsed` falls back to base64, as it does there for every program the node has no parser for.
 * @throws RpcError invalidRequest for base58 of more than 128 bytes
 */
export function accountJson(account: Account, options: AccountEncoding | null | undefined): unknown {
  const data = account.data();
  const { offset, length } = options?.dataSlice ?? { offset: 0, length: data.length };
  return {
    lamports: u64(account.lamports()),
    data: dataJson(data.subarray(offset, offset + length), options?.encoding ?? 'binary'),
    owner: base58Of(keyAt(account.owner())),
    executable: account.executable(),
    rentEpoch: u64(account.rentEpoch()),
    space: data.length,
  };
}

function dataJson(data: Uint8Array, encoding: NonNullable<AccountEncoding['encoding']>): unknown {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [Buffer.from(data).toString('base64'), 'base64'];
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError('invalidRequest', `base58 is for at most ${MAX_BASE58_BYTES} bytes of data; ask for base64`);
  }
  return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58'];
}
