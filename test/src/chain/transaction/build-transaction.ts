import { createHash } from 'node:crypto';
import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import {
  type AccountMeta,
  type Blockhash,
  ComputeBudgetProgram,
  Keypair,
  type MessageCompiledInstruction,
  MessageV0,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { encodeInstruction } from '../../../../src/chain/instruction/instructions.ts';

/** A wallet that is the same in every run. */
export function wallet(name: string): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(`wallet ${name}`).digest());
}

export const PROGRAM_ID = wallet('program').publicKey.toBase58();
export const OTHER_PROGRAM_ID = wallet('other program').publicKey.toBase58();
export const FAN = wallet('fan');
export const AUTHORITY = wallet('authority');
export const PAYER = wallet('payer');
export const MARKETPLACE = wallet('marketplace');
export const STRANGER = wallet('stranger');
export const PERMIT = wallet('permit').publicKey.toBase58();
export const BLOCKHASH: Blockhash = wallet('blockhash').publicKey.toBase58();

export function keyOf(pair: Keypair): string {
  return pair.publicKey.toBase58();
}

export function listInstruction(
  permit = PERMIT,
  price = 1_500_000_000n,
  marketplace = keyOf(MARKETPLACE),
): TransactionInstruction {
  const accounts = { permit, owner: keyOf(FAN), authority: keyOf(AUTHORITY), marketplace };
  return encodeInstruction(PROGRAM_ID, 'create_listing_v1', accounts, { price });
}

export function cancelInstruction(permit = PERMIT): TransactionInstruction {
  const accounts = { permit, owner: keyOf(FAN), authority: keyOf(AUTHORITY) };
  return encodeInstruction(PROGRAM_ID, 'cancel_listing_v1', accounts, {});
}

export function transferInstruction(
  permit = PERMIT,
  from = keyOf(MARKETPLACE),
  to = keyOf(FAN),
  terms = { listing: 3n, price: 1_500_000_000n },
): TransactionInstruction {
  const accounts = { permit, transfer_authority: from, destination: to };
  return encodeInstruction(PROGRAM_ID, 'transfer_permit_v1', accounts, terms);
}

export function computeLimit(units: number): TransactionInstruction {
  return ComputeBudgetProgram.setComputeUnitLimit({ units });
}

export function computePrice(microLamports: bigint): TransactionInstruction {
  return ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
}

export function systemTransfer(from: PublicKey, lamports = 1): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: STRANGER.publicKey, lamports });
}

/** The instruction with another account list, as {@link TransactionInstruction} has it. */
export function withKeys(
  instruction: TransactionInstruction,
  change: (keys: AccountMeta[]) => AccountMeta[],
): TransactionInstruction {
  return new TransactionInstruction({
    programId: instruction.programId,
    keys: change(instruction.keys.map((key) => ({ ...key }))),
    data: instruction.data,
  });
}

export function withData(instruction: TransactionInstruction, data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: instruction.programId, keys: instruction.keys, data });
}

export function withProgram(instruction: TransactionInstruction, programId: string): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: instruction.keys,
    data: instruction.data,
  });
}

/** Legacy bytes by web3.js, signed by those of `signers`; the other slots stay zero. */
export function legacyBytes(
  instructions: TransactionInstruction[],
  { payer = PAYER, signers = [payer] }: { payer?: Keypair; signers?: Keypair[] } = {},
): Buffer {
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: BLOCKHASH }).add(...instructions);
  return signBytes(
    transaction.serialize({ requireAllSignatures: false, verifySignatures: false }),
    transaction.compileMessage().accountKeys,
    signers,
  );
}

/** Version 0 bytes by web3.js, signed by those of `signers`. */
export function versionedBytes(instructions: TransactionInstruction[], signers: Keypair[] = [PAYER]): Buffer {
  const message = MessageV0.compile({ payerKey: PAYER.publicKey, instructions, recentBlockhash: BLOCKHASH });
  return signBytes(Buffer.from(new VersionedTransaction(message).serialize()), message.staticAccountKeys, signers);
}

/** Version 0 bytes with a lookup table, which `MessageV0.compile` would leave out where nothing uses it. */
export function lookupBytes(instructions: TransactionInstruction[], signers: Keypair[] = [PAYER]): Buffer {
  const compiled = MessageV0.compile({ payerKey: PAYER.publicKey, instructions, recentBlockhash: BLOCKHASH });
  const message = new MessageV0({
    ...fieldsOf(compiled),
    addressTableLookups: [{ accountKey: STRANGER.publicKey, writableIndexes: [1], readonlyIndexes: [2, 3] }],
  });
  return signBytes(Buffer.from(new VersionedTransaction(message).serialize()), message.staticAccountKeys, signers);
}

function fieldsOf(message: MessageV0) {
  const { header, staticAccountKeys, recentBlockhash, compiledInstructions } = message;
  return { header, staticAccountKeys, recentBlockhash, compiledInstructions };
}

/** What a message says, spelt by hand where web3.js would not spell it. */
export interface RawMessage {
  header: [number, number, number];
  keys: Uint8Array[];
  instructions: MessageCompiledInstruction[];
  /** Replaces the byte 0x80 that leads a version 0 message; absent for a legacy one. */
  versionByte?: number;
  signatureCount?: number;
}

/** The parts of a legacy message by web3.js, for changing one of them and spelling it anew with {@link rawBytes}. */
export function rawMessage(instructions: TransactionInstruction[], payer = PAYER): RawMessage {
  const message = new Transaction({ feePayer: payer.publicKey, recentBlockhash: BLOCKHASH })
    .add(...instructions)
    .compileMessage();
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  return {
    header: [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts],
    keys: message.accountKeys.map((key) => key.toBytes()),
    instructions: message.compiledInstructions,
  };
}

/** Spells a transaction without any check, its signature slots zero but for the payer's, which is valid where `payer` is given. */
export function rawBytes(raw: RawMessage, payer?: Keypair): Buffer {
  const parts: (Uint8Array | number[])[] = raw.versionByte === undefined ? [] : [[raw.versionByte]];
  parts.push(raw.header, shortvec(raw.keys.length), ...raw.keys, new PublicKey(BLOCKHASH).toBytes());
  parts.push(shortvec(raw.instructions.length));
  for (const { programIdIndex, accountKeyIndexes, data } of raw.instructions) {
    parts.push([programIdIndex], shortvec(accountKeyIndexes.length), accountKeyIndexes, shortvec(data.length), data);
  }
  if (raw.versionByte !== undefined) parts.push([0]);
  const message = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const count = raw.signatureCount ?? raw.header[0];
  const signatures = Buffer.alloc(64 * count);
  if (payer !== undefined) signatures.set(signEd25519Sync(seedOf(payer), message), 0);
  return Buffer.concat([Buffer.from(shortvec(count)), signatures, message]);
}

export function shortvec(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...shortvec(value >> 7)];
}

export function seedOf(pair: Keypair): Uint8Array {
  return pair.secretKey.subarray(0, 32);
}

/** Where the message starts, in transactions of fewer than 128 signers. */
export function messageStart(bytes: Uint8Array): number {
  return 1 + 64 * (bytes[0] ?? 0);
}

/** An instruction that makes the nonce of some account advance. */
export function nonceAdvance(authorizedPubkey: PublicKey): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey: Keypair.generate().publicKey, authorizedPubkey });
}

/** The bytes with the message's signatures by `signers` put into their slots. */
export function signBytes(bytes: Buffer, keys: PublicKey[], signers: Keypair[]): Buffer {
  const signed = Buffer.from(bytes);
  for (const signer of signers) {
    const index = keys.findIndex((key) => key.equals(signer.publicKey));
    signed.set(signEd25519Sync(seedOf(signer), signed.subarray(messageStart(signed))), 1 + 64 * index);
  }
  return signed;
}

/** A repeatable sequence of numbers below `below`. */
export function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
