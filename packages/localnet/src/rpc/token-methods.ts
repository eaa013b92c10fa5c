import { z } from 'zod';
import { accountAtSlot, programAccountsAtSlot } from '../bank.ts';
import type { Key } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { readHolding, readMint, TOKEN_PROGRAMS, type TokenHolding, uiAmount } from '../token-account.ts';
import { ownerOf } from '../vm.ts';
import { accountFields } from './account-data.ts';
import { keyedAccountJson } from './account-methods.ts';
import { Address, ContextConfig, contextFields, method, type RpcMethod, withContext } from './method.ts';

const AccountConfig = z.object({ ...contextFields, ...accountFields }).nullish();
const TokenFilter = z.union([z.strictObject({ mint: Address }), z.strictObject({ programId: Address })]);
const ListParams = z.tuple([Address, TokenFilter, AccountConfig.optional()]);

/** Holdings and supplies of SPL tokens. */
export const tokenMethods: Record<string, RpcMethod> = {
  getTokenAccountsByOwner: list((holding, address) => holding.owner === address),
  getTokenAccountsByDelegate: list((holding, address) => holding.delegate === address),

  getTokenAccountBalance: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, (slot) => {
      const data = tokenDataAt(ledger, address, slot, 'not a Token account');
      const holding = readHolding(data);
      const mint = holding && accountAtSlot(ledger, holding.mint, slot);
      const decimals = mint && readMint(mint.data())?.decimals;
      if (!holding || decimals === undefined) throw invalid('not a Token account');
      return uiAmount(holding.amount, decimals);
    }),
  ),

  getTokenSupply: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [address, config]) =>
    withContext(ledger, config, (slot) => {
      const mint = readMint(tokenDataAt(ledger, address, slot, 'not a Token mint'));
      if (!mint) throw invalid('not a Token mint');
      return uiAmount(mint.supply, mint.decimals);
    }),
  ),
};

function list(isWanted: (holding: TokenHolding, address: Key) => boolean): RpcMethod {
  return method(ListParams, (ledger, [address, filter, config]) =>
    withContext(ledger, config, (slot) => {
      const { program, mint } = programAndMint(ledger, filter, slot);
      return programAccountsAtSlot(ledger, program, slot).flatMap(({ key, account }) => {
        const holding = readHolding(account.data());
        if (!holding || !isWanted(holding, address) || (mint !== undefined && holding.mint !== mint)) return [];
        return keyedAccountJson(ledger, key, account, slot, config);
      });
    }),
  );
}

function programAndMint(
  ledger: Ledger,
  filter: z.infer<typeof TokenFilter>,
  slot: number,
): { program: Key; mint?: Key } {
  if ('programId' in filter) {
    if (TOKEN_PROGRAMS.has(filter.programId)) return { program: filter.programId };
    throw invalid('unrecognized Token program id');
  }
  const account = accountAtSlot(ledger, filter.mint, slot);
  if (!account) throw invalid('could not find mint');
  const program = ownerOf(account);
  if (!TOKEN_PROGRAMS.has(program) || !readMint(account.data())) throw invalid('Token mint could not be unpacked');
  return { program, mint: filter.mint };
}

function tokenDataAt(ledger: Ledger, address: Key, slot: number, otherwise: string): Uint8Array {
  const account = accountAtSlot(ledger, address, slot);
  if (!account) throw invalid('could not find account');
  if (!TOKEN_PROGRAMS.has(ownerOf(account))) throw invalid(otherwise);
  return account.data();
}

function invalid(reason: string): RpcError {
  return new RpcError('invalidParams', `Invalid param: ${reason}`);
}
