import { zstdCompressSync } from 'node:zlib';
import bs58 from 'bs58';
import type { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { base58Of, SYSTEM_PROGRAM } from '../key.ts';
import { RpcError } from '../rpc-error.ts';
import { u64 } from '../u64.ts';
import { ownerOf } from '../vm.ts';
import { Unsigned } from './method.ts';

/** How a caller wants the data of accounts. */
export const accountFields = {
  encoding: z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']).nullish(),
  dataSlice: z.object({ offset: Unsigned, length: Unsigned }).nullish(),
};

const AccountFields = z.object(accountFields);
export type AccountEncoding = z.infer<typeof AccountFields>;

/** The most bytes an account may have to be sent in base58, which costs the square of its length. */
const MAX_BASE58_BYTES = 128;

/**
 * An account as a cluster sends it. Without `encoding` the data is a bare base58 string, the cluster's oldest form; `jsonParsed` is base64,
 * as it is on a cluster for accounts that have no parser.
 * @throws RpcError invalidRequest for base58 of more than 128 bytes
 */
export function accountJson(account: Account, options: AccountEncoding | null | undefined): unknown {
  const data = account.data();
  const { offset, length } = options?.dataSlice ?? { offset: 0, length: data.length };
  return {
    lamports: u64(account.lamports()),
    data: dataJson(data.subarray(offset, offset + length), options),
    owner: base58Of(ownerOf(account)),
    executable: account.executable(),
    rentEpoch: u64(account.rentEpoch()),
    space: data.length,
  };
}

/** A closed account, as the empty one that it has become. */
export function closedAccountJson(options: AccountEncoding | null | undefined): unknown {
  const data = dataJson(new Uint8Array(), options);
  return { lamports: 0, data, owner: base58Of(SYSTEM_PROGRAM), executable: false, rentEpoch: 0, space: 0 };
}

function dataJson(data: Uint8Array, options: AccountEncoding | null | undefined): unknown {
  const encoding = options?.encoding ?? 'binary';
  if (encoding === 'base64' || encoding === 'jsonParsed') return [Buffer.from(data).toString('base64'), 'base64'];
  if (encoding === 'base64+zstd') return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      'invalidRequest',
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58'];
}
