import type { LiteSvm } from 'litesvm/dist/internal.js';
import { base58Of, type Key } from './key.ts';
import type { TokenBalance } from './store/landed-transaction.ts';
import { readHolding, readMint, TOKEN_PROGRAMS } from './token-account.ts';
import { accountAt, ownerOf } from './vm.ts';

/** The token accounts among `keys`. As on a cluster none are looked for in a message that names no token program. */
export function tokenBalancesOf(vm: LiteSvm, keys: Key[]): TokenBalance[] {
  if (!keys.some((key) => TOKEN_PROGRAMS.has(key))) return [];
  return keys.flatMap((key, accountIndex) => {
    const account = TOKEN_PROGRAMS.has(key) ? undefined : accountAt(vm, key);
    if (!account || !TOKEN_PROGRAMS.has(ownerOf(account))) return [];
    const holding = readHolding(account.data());
    const mint = holding && accountAt(vm, holding.mint);
    const decimals = mint && readMint(mint.data())?.decimals;
    if (!holding || decimals === undefined) return [];
    return {
      accountIndex,
      mint: base58Of(holding.mint),
      owner: base58Of(holding.owner),
      programId: base58Of(ownerOf(account)),
      amount: String(holding.amount),
      decimals,
    };
  });
}
