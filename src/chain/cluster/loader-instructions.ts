import { programDataAddress } from '@fan-api/cosign-policy/program-addresses';
import { UPGRADEABLE_LOADER } from '@fan-api/ticket-program/description';
import {
  type AccountMeta,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';

/** Instructions of the upgradeable loader, and the sizes of its accounts. @see `solana-loader-v3-interface` on crates.io */

export const LOADER = new PublicKey(UPGRADEABLE_LOADER);

/** Bytes before the code in a buffer, and in a ProgramData account. */
export const BUFFER_HEADER = 37;
export const PROGRAM_DATA_HEADER = 45;
export const PROGRAM_ACCOUNT_BYTES = 36;

/** State of an account that is a buffer. */
export const BUFFER_STATE = 1;

const INITIALIZE_BUFFER = 0;
const WRITE = 1;
const DEPLOY_WITH_MAX_DATA_LEN = 2;
const UPGRADE = 3;
const SET_AUTHORITY = 4;

/** Makes an allocated account a buffer that `authority` writes. */
export function initializeBuffer(buffer: string, authority: string): TransactionInstruction {
  return loader([writable(buffer), readonly(authority)], u32(INITIALIZE_BUFFER));
}

export function writeBuffer(buffer: string, authority: string, offset: number, chunk: Uint8Array) {
  const data = Buffer.concat([u32(WRITE), u32(offset), u64(chunk.length), chunk]);
  return loader([writable(buffer), signer(authority)], data);
}

/** Gives a buffer another authority: to deploy it, that must be the program's. */
export function setBufferAuthority(buffer: string, from: string, to: string): TransactionInstruction {
  return loader([writable(buffer), signer(from), readonly(to)], u32(SET_AUTHORITY));
}

export interface Deployment {
  readonly programId: string;
  /** Is closed; its lamports go to `payer`. */
  readonly buffer: string;
  readonly payer: string;
  readonly upgradeAuthority: string;
}

/** @param room bytes of code that later upgrades may have */
export function deployProgram({ programId, buffer, payer, upgradeAuthority }: Deployment, room: number) {
  const keys = [
    { ...signer(payer), isWritable: true },
    writable(programDataAddress(programId).address),
    writable(programId),
    writable(buffer),
    ...sysvars(),
    readonly(SystemProgram.programId.toBase58()),
    signer(upgradeAuthority),
  ];
  return loader(keys, Buffer.concat([u32(DEPLOY_WITH_MAX_DATA_LEN), u64(room)]));
}

export function upgradeProgram({ programId, buffer, payer, upgradeAuthority }: Deployment): TransactionInstruction {
  const keys = [
    writable(programDataAddress(programId).address),
    writable(programId),
    writable(buffer),
    writable(payer),
    ...sysvars(),
    signer(upgradeAuthority),
  ];
  return loader(keys, u32(UPGRADE));
}

function loader(keys: AccountMeta[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data });
}

function sysvars(): AccountMeta[] {
  return [SYSVAR_RENT_PUBKEY, SYSVAR_CLOCK_PUBKEY].map((key) => readonly(key.toBase58()));
}

function readonly(address: string): AccountMeta {
  return { pubkey: new PublicKey(address), isSigner: false, isWritable: false };
}

function writable(address: string): AccountMeta {
  return { ...readonly(address), isWritable: true };
}

function signer(address: string): AccountMeta {
  return { ...readonly(address), isSigner: true };
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
