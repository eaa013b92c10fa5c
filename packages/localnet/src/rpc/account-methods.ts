import { z } from 'zod';
import { accountAtSlot } from '../account-at-slot.ts';
import type { Key } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { u64 } from '../u64.ts';
import { type AccountEncoding, accountFields, accountJson } from './account-json.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod, Unsigned, withContext } from './method.ts';
import { programAccounts } from './program-accounts.ts';

const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();

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

  getProgramAccounts: programAccounts,

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
  return account ? accountJson(account, config) : null;
}
