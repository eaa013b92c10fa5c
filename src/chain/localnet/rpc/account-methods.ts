import bs58 from 'bs58';
import type { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { base58Of, bytesOf, keyAt } from '../key.ts';
import { u64 } from '../u64.ts';
import { accountAt } from '../vm.ts';
import { accountFields, accountJson } from './account-json.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod, withContext } from './method.ts';

const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();

const Memcmp = z
  .object({
    offset: z.int().nonnegative(),
    bytes: z.union([z.string(), z.array(z.int().min(0).max(255))]),
    encoding: z.enum(['base58', 'base64', 'binary', 'bytes']).nullish(),
  })
  .transform(({ offset, bytes, encoding }, context) => {
    const decoded = decodeBytes(bytes, encoding ?? 'base58');
    if (decoded && decoded.length <= 128) return { offset, bytes: decoded };
    context.addIssue('memcmp.bytes must decode to at most 128 bytes');
    return z.NEVER;
  });

const AccountFilter = z.union([z.object({ dataSize: z.int().nonnegative() }), z.object({ memcmp: Memcmp })]);
type AccountFilter = z.infer<typeof AccountFilter>;

/** What `getProgramAccounts` and `programSubscribe` take besides the program. */
export const ProgramConfig = z
  .object({
    ...contextFields,
    ...accountFields,
    filters: z.array(AccountFilter).max(4).nullish(),
    withContext: z.boolean().nullish(),
  })
  .nullish();

export const accountMethods: Record<string, RpcMethod> = {
  getBalance: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, () => u64(ledger.vm.getBalance(bytesOf(address)) ?? 0n)),
  ),

  getAccountInfo: method(z.tuple([Address, AccountConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, () => {
      const account = accountAt(ledger.vm, address);
      return account ? accountJson(account, config) : null;
    }),
  ),

  getMultipleAccounts: method(z.tuple([z.array(Address).max(100), AccountConfig.optional()]), (ledger, params) => {
    const [addresses, config] = params;
    return withContext(ledger, config, () =>
      addresses.map((address) => {
        const account = accountAt(ledger.vm, address);
        return account ? accountJson(account, config) : null;
      }),
    );
  }),

  getProgramAccounts: method(z.tuple([Address, ProgramConfig.optional()]), (ledger, [program, config]) => {
    const accounts = ledger.vm.getProgramAccounts(bytesOf(program)).flatMap((entry) => {
      const account = entry.account();
      if (account.lamports() === 0n || !matches(account, config?.filters)) return [];
      return [{ pubkey: base58Of(keyAt(entry.address)), account: accountJson(account, config) }];
    });
    return config?.withContext ? withContext(ledger, config, () => accounts) : accounts;
  }),

  getMinimumBalanceForRentExemption: method(
    z.tuple([
      z
        .int()
        .nonnegative()
        .max(10 * 1024 * 1024),
      ContextConfig.optional(),
    ]),
    (ledger, [bytes]) => u64(ledger.vm.minimumBalanceForRentExemption(BigInt(bytes))),
  ),
};

/** Whether an account passes every filter. */
export function matches(account: Account, filters: AccountFilter[] | null | undefined): boolean {
  if (!filters?.length) return true;
  const data = account.data();
  return filters.every((filter) => {
    if ('dataSize' in filter) return data.length === filter.dataSize;
    const { offset, bytes } = filter.memcmp;
    return Buffer.compare(data.subarray(offset, offset + bytes.length), bytes) === 0;
  });
}

function decodeBytes(bytes: string | number[], encoding: string): Uint8Array | undefined {
  if (typeof bytes !== 'string') return Uint8Array.from(bytes);
  return encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes);
}
