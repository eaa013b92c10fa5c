/**
 * The accounts of the SPL Token programs: mints, and holdings of a mint.
 * @see https://solana.com/docs/tokens
 */
import { base58Of, type Key, keyAt, keyFromBase58 } from './key.ts';

/** The two token programs by the name that `jsonParsed` gives them. */
export const TOKEN_PROGRAMS: ReadonlyMap<Key | undefined, string> = new Map([
  [keyFromBase58('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), 'spl-token'],
  [keyFromBase58('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'), 'spl-token-2022'],
]);

const MINT_BYTES = 82;
const HOLDING_BYTES = 165;
/** The newer program appends the kind of account, then its extensions. */
const KIND = { mint: 1, holding: 2 };
const HOLDING_STATES = ['uninitialized', 'initialized', 'frozen'];

export interface TokenMint {
  supply: bigint;
  decimals: number;
  isInitialized: boolean;
  mintAuthority: Key | null;
  freezeAuthority: Key | null;
}

export interface TokenHolding {
  mint: Key;
  owner: Key;
  amount: bigint;
  delegate: Key | null;
  state: string;
  /** Lamports kept as rent by an account of wrapped SOL; null for all others. */
  rentReserve: bigint | null;
  delegatedAmount: bigint;
  closeAuthority: Key | null;
}

/** Reads the data of a mint; undefined for anything else. */
export function readMint(data: Uint8Array): TokenMint | undefined {
  const bytes = Buffer.from(data);
  const isMint = bytes.length === MINT_BYTES || (bytes.length > HOLDING_BYTES && bytes[HOLDING_BYTES] === KIND.mint);
  if (!isMint || bytes[45] !== 1) return undefined;
  return {
    mintAuthority: optionalKey(bytes, 0),
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes.readUInt8(44),
    isInitialized: true,
    freezeAuthority: optionalKey(bytes, 46),
  };
}

/** Reads the data of a token account; undefined for anything else and for one that is not initialised. */
export function readHolding(data: Uint8Array): TokenHolding | undefined {
  const bytes = Buffer.from(data);
  const isHolding =
    bytes.length === HOLDING_BYTES || (bytes.length > HOLDING_BYTES && bytes[HOLDING_BYTES] === KIND.holding);
  const state = isHolding ? HOLDING_STATES[bytes.readUInt8(108)] : undefined;
  if (state === undefined || state === 'uninitialized') return undefined;
  return {
    mint: keyAt(bytes, 0),
    owner: keyAt(bytes, 32),
    amount: bytes.readBigUInt64LE(64),
    delegate: optionalKey(bytes, 72),
    state,
    rentReserve: bytes.readUInt32LE(109) === 1 ? bytes.readBigUInt64LE(113) : null,
    delegatedAmount: bytes.readBigUInt64LE(121),
    closeAuthority: optionalKey(bytes, 129),
  };
}

/** An amount of a token as clients read it. `uiAmount` is a number and so inexact beyond 2^53. */
export function uiAmount(amount: bigint, decimals: number): object {
  const text = decimalText(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(text), uiAmountString: text };
}

/** A mint in the `jsonParsed` form. */
export function mintJson(mint: TokenMint): object {
  return {
    decimals: mint.decimals,
    freezeAuthority: mint.freezeAuthority && base58Of(mint.freezeAuthority),
    isInitialized: mint.isInitialized,
    mintAuthority: mint.mintAuthority && base58Of(mint.mintAuthority),
    supply: String(mint.supply),
  };
}

/** A token account in the `jsonParsed` form. */
export function holdingJson(holding: TokenHolding, decimals: number): object {
  const { delegate, closeAuthority, rentReserve, delegatedAmount } = holding;
  return {
    isNative: rentReserve !== null,
    mint: base58Of(holding.mint),
    owner: base58Of(holding.owner),
    state: holding.state,
    tokenAmount: uiAmount(holding.amount, decimals),
    ...(delegate && { delegate: base58Of(delegate), delegatedAmount: uiAmount(delegatedAmount, decimals) }),
    ...(rentReserve !== null && { rentExemptReserve: uiAmount(rentReserve, decimals) }),
    ...(closeAuthority && { closeAuthority: base58Of(closeAuthority) }),
  };
}

function optionalKey(bytes: Buffer, offset: number): Key | null {
  return bytes.readUInt32LE(offset) === 1 ? keyAt(bytes, offset + 4) : null;
}

function decimalText(amount: bigint, decimals: number): string {
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`);
}
