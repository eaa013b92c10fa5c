/**
 * Durable nonces: a transaction may name the value of a nonce account in place of a recent blockhash. Its first
 * instruction must then advance that account, so that the value is good for one transaction only.
 * @see https://solana.com/docs/core/transactions#durable-nonces
 */
import { createHash } from 'node:crypto';
import type { CompiledInstruction } from '@fan-api/solana-wire/parse-transaction';
import { bytesOf, type Key, keyAt, SYSTEM_PROGRAM } from './key.ts';
import { isWritableKey } from './message-accounts.ts';
import type { WireMessage } from './wire-transaction.ts';

/** Numbers of the System program's instructions that set the value of a nonce account. */
const ADVANCE = 4;
const INITIALIZE = 6;

const NONCE_ACCOUNT_BYTES = 80;
const AUTHORITY = 8;
const VALUE = 40;
const FEE = 72;

/** What an initialised nonce account holds. */
export interface NonceState {
  authority: Key;
  /** What a transaction names in place of its blockhash. */
  value: Key;
  /** Lamports per signature when the value was set. */
  lamportsPerSignature: bigint;
}

/** Reads the data of a nonce account; undefined unless it is initialised in the present version. */
export function readNonce(data: Uint8Array): NonceState | undefined {
  if (data.length !== NONCE_ACCOUNT_BYTES) return undefined;
  const bytes = Buffer.from(data);
  if (bytes.readUInt32LE(0) !== 1 || bytes.readUInt32LE(4) !== 1) return undefined;
  return {
    authority: keyAt(bytes, AUTHORITY),
    value: keyAt(bytes, VALUE),
    lamportsPerSignature: bytes.readBigUInt64LE(FEE),
  };
}

/** The data of a nonce account with another value. */
export function withNonceValue(data: Uint8Array, value: Key): Buffer {
  const changed = Buffer.from(data);
  changed.set(bytesOf(value), VALUE);
  return changed;
}

/** The value that an advance gives a nonce account while `blockhash` is the newest. */
export function nonceValueAt(blockhash: Key): Key {
  return keyAt(createHash('sha256').update('DURABLE_NONCE').update(bytesOf(blockhash)).digest());
}

/** The nonce account that a message advances first, and who signs that instruction. Undefined where it advances none. */
export function nonceAdvanceOf(message: WireMessage): { account: Key; signers: Key[] } | undefined {
  const [first] = message.instructions;
  if (!first || systemInstruction(message, first) !== ADVANCE) return undefined;
  const { header, keys } = message;
  const [index] = first.accountIndexes;
  const account = index === undefined ? undefined : keys[index];
  if (index === undefined || account === undefined || !isWritableKey(message, index)) return undefined;
  const signers = [...first.accountIndexes].flatMap((at) => (at < header.requiredSignatures ? (keys[at] ?? []) : []));
  return { account, signers };
}

/** Whether a message sets the value of a nonce account, which the VM derives from the blockhash that it is shown. */
export function setsNonce(message: WireMessage): boolean {
  return message.instructions.some((instruction) => {
    const number = systemInstruction(message, instruction);
    return number === ADVANCE || number === INITIALIZE;
  });
}

function systemInstruction({ keys }: WireMessage, { programIndex, data }: CompiledInstruction): number | undefined {
  if (keys[programIndex] !== SYSTEM_PROGRAM || data.length < 4) return undefined;
  return Buffer.from(data).readUInt32LE(0);
}
