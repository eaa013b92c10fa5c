import type { Account } from 'litesvm/dist/internal.js';
import { base58Of } from '../key.ts';
import { u64 } from '../u64.ts';
import { ownerOf } from '../vm.ts';
import { type AccountEncoding, dataJson } from './account-data.ts';
import { type FindAccount, parsedAccountData } from './parsed-account.ts';

/**
 * An account as a cluster sends it. Without `encoding` the data is a bare base58 string, the cluster's oldest form;
 * `jsonParsed` falls back to base64 for accounts that have no parser.
 * @param find reads the mint of a token account
 * @throws RpcError invalidRequest for base58 of more than 128 bytes
 */
export function accountJson(account: Account, options: AccountEncoding | null | undefined, find: FindAccount): unknown {
  const data = account.data();
  const { offset, length } = options?.dataSlice ?? { offset: 0, length: data.length };
  const encoding = options?.encoding ?? 'binary';
  const parsed = encoding === 'jsonParsed' ? parsedAccountData(account, find) : undefined;
  return {
    lamports: u64(account.lamports()),
    data: parsed ?? dataJson(data.subarray(offset, offset + length), encoding),
    owner: base58Of(ownerOf(account)),
    executable: account.executable(),
    rentEpoch: u64(account.rentEpoch()),
    space: data.length,
  };
}

/** A closed account, as the empty one that it has become. */
export function closedAccountJson(options: AccountEncoding | null | undefined): unknown {
  return {
    lamports: 0,
    data: dataJson(new Uint8Array(), options?.encoding ?? 'binary'),
    owner: '11111111111111111111111111111111',
    executable: false,
    rentEpoch: 0,
    space: 0,
  };
}
