import bs58 from 'bs58';
import type { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { accountAtSlot, programAccountsAtSlot } from '../bank.ts';
import { base58Of, type Key } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { readHolding } from '../token-account.ts';
import { u64 } from '../u64.ts';
import { type AccountEncoding, accountFields } from './account-data.ts';
import { accountJson } from './account-json.ts';
import {
  Address,
  ContextConfig,
  contextFields,
  method,
  type RpcMethod,
  slotFor,
  Unsigned,
  withContext,
} from './method.ts';

const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();

const Memcmp = z
  .object({
    offset: Unsigned,
    bytes: z.union([z.string(), z.array(z.int().min(0).max(255))]),
    encoding: z.enum(['base58', 'base64', 'binary', 'bytes']).nullish(),
  })
  .transform(({ offset, bytes, encoding }, context) => {
    const decoded = decodeBytes(bytes, encoding ?? 'base58');
    if (decoded && decoded.length <= 128) return { offset, bytes: decoded };
    context.addIssue('memcmp.bytes must decode to at most 128 bytes');
    return z.NEVER;
  });

const AccountFilter = z.union([
  z.object({ dataSize: Unsigned }),
  z.object({ memcmp: Memcmp }),
  z.literal('tokenAccountState'),
]);
type AccountFilter = z.infer<typeof AccountFilter>;

/** What `getProgramAccounts` and `programSubscribe` take besides the program. */
export const ProgramConfig = z
  .object({
    ...contextFields,
    ...accountFields,
    filters: z.array(AccountFilter).max(4, 'Too many filters provided; max 4').nullish(),
    withContext: z.boolean().nullish(),
  })
  .nullish();

/** The longest that an account can be, in bytes. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;

export const accountMethods: Record<string, RpcMethod> = {
  getBalance: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, (slot) => u64(accountAtSlot(ledger, address, slot)?.lamports() ?? 0n)),
  ),

  getAccountInfo: method(z.tuple([Address, AccountConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, (slot) => accountJsonAt(ledger, address, slot, config)),
  ),

  getMultipleAccounts: method(
    z.tuple([z.array(Address).max(100, 'Too many inputs provided; max 100'), AccountConfig.optional()]),
    (ledger, [addresses, config]) =>
      withContext(ledger, config, (slot) => addresses.map((address) => accountJsonAt(ledger, address, slot, config))),
  ),

  getProgramAccounts: method(z.tuple([Address, ProgramConfig.optional()]), (ledger, [program, config]) => {
    const list = (slot: number) =>
      programAccountsAtSlot(ledger, program, slot)
        .filter(({ account }) => matches(account, config?.filters))
        .map(({ key, account }) => keyedAccountJson(ledger, key, account, slot, config));
    return config?.withContext ? withContext(ledger, config, list) : list(slotFor(ledger, config));
  }),

  getMinimumBalanceForRentExemption: method(z.tuple([Unsigned, ContextConfig.optional()]), ({ vm }, [bytes]) => {
    if (bytes > MAX_ACCOUNT_BYTES) throw new RpcError('invalidRequest', 'Invalid request');
    return u64(vm.minimumBalanceForRentExemption(BigInt(bytes)));
  }),
};

/** The account at `address` as of `slot`; null where there is none. */
function accountJsonAt(
  ledger: Ledger,
  address: Key,
  slot: number,
  config: AccountEncoding | null | undefined,
): unknown {
  const account = accountAtSlot(ledger, address, slot);
  return account ? accountJson(account, config, (key) => accountAtSlot(ledger, key, slot)) : null;
}

/** An account of a list, with its address. */
export function keyedAccountJson(
  ledger: Ledger,
  key: Key,
  account: Account,
  slot: number,
  config: AccountEncoding | null | undefined,
): unknown {
  const find = (other: Key) => accountAtSlot(ledger, other, slot);
  return { pubkey: base58Of(key), account: accountJson(account, config, find) };
}

/** Whether an account passes every filter. */
export function matches(account: Account, filters: AccountFilter[] | null | undefined): boolean {
  if (!filters?.length) return true;
  const data = account.data();
  return filters.every((filter) => {
    if (filter === 'tokenAccountState') return readHolding(data) !== undefined;
    if ('dataSize' in filter) return data.length === filter.dataSize;
    const { offset, bytes } = filter.memcmp;
    return Buffer.compare(data.subarray(offset, offset + bytes.length), bytes) === 0;
  });
}

function decodeBytes(bytes: string | number[], encoding: string): Uint8Array | undefined {
  if (typeof bytes !== 'string') return Uint8Array.from(bytes);
  return encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes);
}
