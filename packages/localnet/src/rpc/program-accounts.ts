import bs58 from 'bs58';
import type { Account } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { accountAtSlot } from '../account-at-slot.ts';
import { base58Of, bytesOf, type Key, keyAt } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { ownerOf } from '../vm.ts';
import { accountFields, accountJson } from './account-json.ts';
import { Address, contextFields, method, type RpcMethod, slotFor, Unsigned, withContext } from './method.ts';

/** The most bytes that a filter compares. */
const MAX_COMPARED = 128;

const Memcmp = z
  .object({
    offset: Unsigned,
    bytes: z.union([z.string(), z.array(z.int().min(0).max(255))]),
    encoding: z.enum(['base58', 'base64', 'binary', 'bytes']).nullish(),
  })
  .transform(({ offset, bytes, encoding }, context) => {
    const decoded = decodeBytes(bytes, encoding ?? 'base58');
    if (decoded && decoded.length <= MAX_COMPARED) return { offset, bytes: decoded };
    context.addIssue(`memcmp.bytes must decode to at most ${MAX_COMPARED} bytes`);
    return z.NEVER;
  });

const AccountFilter = z.union([z.object({ dataSize: Unsigned }), z.object({ memcmp: Memcmp })]);

const ProgramConfig = z
  .object({
    ...contextFields,
    ...accountFields,
    filters: z.array(AccountFilter).max(4, 'Too many filters provided; max 4').nullish(),
    withContext: z.boolean().nullish(),
  })
  .nullish();

/** `getProgramAccounts`: the accounts of a program that pass every filter, in no order, as indexers and Anchor's `all()` ask for them. */
export const programAccounts: RpcMethod = method(
  z.tuple([Address, ProgramConfig.optional()]),
  (ledger, [program, config]) => {
    const list = (slot: number) =>
      accountsOf(ledger, program, slot)
        .filter(({ account }) => (config?.filters ?? []).every((filter) => passes(account.data(), filter)))
        .map(({ key, account }) => ({ pubkey: base58Of(key), account: accountJson(account, config) }));
    return config?.withContext ? withContext(ledger, config, list) : list(slotFor(ledger, config));
  },
);

/** The accounts that a program owned as of `slot`. */
function accountsOf(ledger: Ledger, program: Key, slot: number): { key: Key; account: Account }[] {
  const present = ledger.vm.getProgramAccounts(bytesOf(program)).map(({ address }) => keyAt(address));
  return [...new Set([...present, ...ledger.store.changedAfter(slot)])].flatMap((key) => {
    const account = accountAtSlot(ledger, key, slot);
    return account && ownerOf(account) === program ? { key, account } : [];
  });
}

function passes(data: Uint8Array, filter: z.infer<typeof AccountFilter>): boolean {
  if ('dataSize' in filter) return data.length === filter.dataSize;
  const { offset, bytes } = filter.memcmp;
  return Buffer.compare(data.subarray(offset, offset + bytes.length), bytes) === 0;
}

function decodeBytes(bytes: string | number[], encoding: string): Uint8Array | undefined {
  if (typeof bytes !== 'string') return Uint8Array.from(bytes);
  return encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes);
}
