import type { Account } from 'litesvm/dist/internal.js';
import { NONCE_ACCOUNT_BYTES, readNonce } from '../durable-nonce.ts';
import { base58Of, type Key, SYSTEM_PROGRAM } from '../key.ts';
import { holdingJson, mintJson, readHolding, readMint, TOKEN_PROGRAMS } from '../token-account.ts';
import { ownerOf } from '../vm.ts';

/** Reads another account of the same state. */
export type FindAccount = (key: Key) => Account | undefined;

/** An account's data in the `jsonParsed` form: nonce accounts, mints, token accounts. Undefined for all others. */
export function parsedAccountData(account: Account, find: FindAccount): object | undefined {
  const owner = ownerOf(account);
  if (owner === SYSTEM_PROGRAM) return parsedNonce(account.data());
  const program = TOKEN_PROGRAMS.get(owner);
  if (program === undefined) return undefined;
  const data = account.data();
  const parsed = parsedToken(data, find);
  return parsed && { program, parsed, space: data.length };
}

function parsedNonce(data: Uint8Array): object | undefined {
  const nonce = readNonce(data);
  if (nonce === undefined) return undefined;
  const info = {
    authority: base58Of(nonce.authority),
    blockhash: base58Of(nonce.value),
    feeCalculator: { lamportsPerSignature: String(nonce.lamportsPerSignature) },
  };
  return { program: 'nonce', parsed: { info, type: 'initialized' }, space: NONCE_ACCOUNT_BYTES };
}

function parsedToken(data: Uint8Array, find: FindAccount): object | undefined {
  const mint = readMint(data);
  if (mint) return { info: mintJson(mint), type: 'mint' };
  const holding = readHolding(data);
  const mintAccount = holding && find(holding.mint);
  const decimals = mintAccount && readMint(mintAccount.data())?.decimals;
  if (!holding || decimals === undefined) return undefined;
  return { info: holdingJson(holding, decimals), type: 'account' };
}
