/** Instructions of the upgradeable loader, the one that `solana program deploy` uses. */
import {
  Keypair,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { UPGRADEABLE_LOADER } from '../src/describe-program.ts';

export const LOADER = new PublicKey(UPGRADEABLE_LOADER);

const BUFFER_HEADER = 37;
const PROGRAM_ACCOUNT = 36;
/** Bytes that a transaction can carry. */
const CHUNK = 900;
const INITIALIZE_BUFFER = 0;
const WRITE = 1;
const DEPLOY = 2;
const SET_AUTHORITY = 4;

export interface Step {
  instructions: TransactionInstruction[];
  /** Beside the payer. */
  signers: Keypair[];
}

export function programDataOf(program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([program.toBytes()], LOADER)[0];
}

/**
 * The transactions that deploy a program, which the payer may upgrade: a buffer, its bytes in any order, and the end.
 * @param rentOf lamports that an account of so many bytes needs
 */
export function deployment(payer: PublicKey, program: Keypair, elf: Uint8Array, rentOf: (bytes: number) => number) {
  const buffer = Keypair.generate();
  const create = (key: PublicKey, space: number) =>
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: key,
      lamports: rentOf(space),
      space,
      programId: LOADER,
    });
  const own = { ...signer(payer), isWritable: true };
  const written = writable(buffer.publicKey);
  const begin: Step = {
    instructions: [
      create(buffer.publicKey, BUFFER_HEADER + elf.length),
      loader([written, readonly(payer)], u32(INITIALIZE_BUFFER)),
    ],
    signers: [buffer],
  };
  const writes = Array.from({ length: Math.ceil(elf.length / CHUNK) }, (_, index): Step => {
    const chunk = elf.subarray(index * CHUNK, (index + 1) * CHUNK);
    const data = Buffer.concat([u32(WRITE), u32(index * CHUNK), u64(chunk.length), chunk]);
    return { instructions: [loader([written, signer(payer)], data)], signers: [] };
  });
  const accounts = [
    own,
    writable(programDataOf(program.publicKey)),
    writable(program.publicKey),
    written,
    ...[SYSVAR_RENT_PUBKEY, SYSVAR_CLOCK_PUBKEY, SystemProgram.programId].map(readonly),
    signer(payer),
  ];
  const end: Step = {
    instructions: [
      create(program.publicKey, PROGRAM_ACCOUNT),
      loader(accounts, Buffer.concat([u32(DEPLOY), u64(elf.length)])),
    ],
    signers: [program],
  };
  return { begin, writes, end };
}

/** @param next undefined makes the program immutable */
export function setAuthority(program: PublicKey, from: PublicKey, next: PublicKey | undefined): TransactionInstruction {
  const keys = [writable(programDataOf(program)), signer(from), ...(next ? [readonly(next)] : [])];
  return loader(keys, u32(SET_AUTHORITY));
}

function loader(keys: TransactionInstruction['keys'], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data });
}

export function readonly(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: false };
}

export function writable(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: true };
}

export function signer(pubkey: PublicKey) {
  return { pubkey, isSigner: true, isWritable: false };
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
