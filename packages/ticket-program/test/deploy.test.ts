import { address, getTransactionDecoder, lamports } from '@solana/kit';
import {
  Keypair,
  type PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { beforeEach, expect, test } from 'vitest';
import { errorCode } from '../src/describe-errors.ts';
import { INSTRUCTION_DISCRIMINATORS } from '../src/describe-program.ts';
import { LOCAL_PROGRAM_SEED } from '../src/local-keys.ts';
import { CONFIG, ELF, LOADER, PROGRAM_DATA, PROGRAM_ID } from './ticket-vm.ts';

/** The loader is the one that `solana program deploy` uses. It verifies a program more strictly than a test VM that is handed one. */
const BUFFER_HEADER = 37;
const PROGRAM_ACCOUNT = 36;
const CHUNK = 900;
const INITIALIZE_BUFFER = 0;
const WRITE = 1;
const DEPLOY = 2;
const SET_AUTHORITY = 4;

const payer = Keypair.generate();
const program = Keypair.fromSeed(LOCAL_PROGRAM_SEED);
let svm: LiteSVM;
beforeEach(() => {
  svm = new LiteSVM();
  svm.airdrop(address(payer.publicKey.toBase58()), lamports(100_000_000_000n));
});

test('the upgradeable loader accepts the committed program, and it runs', () => {
  deploy(ELF);
  svm.warpToSlot(svm.getClock().slot + 1n);
  const call = send([new TransactionInstruction({ programId: PROGRAM_ID, keys: [], data: Buffer.alloc(8) })]);
  expect(call.logs.at(-1)).toBe(`Program ${PROGRAM_ID.toBase58()} failed: custom program error: 0x1770`);
});

test('the upgradeable loader refuses a program that calls what the runtime does not have', () => {
  const broken = Buffer.from(ELF);
  const name = broken.indexOf('sol_log_data');
  expect(name).toBeGreaterThan(0);
  broken.write('sol_log_dada', name);
  expect(() => deploy(broken)).toThrow(/invalid account data/i);
});

test('once deployed, the upgrade authority of the loader may initialise the program, and nobody else', () => {
  deploy(ELF);
  svm.warpToSlot(svm.getClock().slot + 1n);
  const next = Keypair.generate();
  expect(initialize(next)).toContain(refusal('WrongAuthority'));
  succeed([setAuthority(next.publicKey)]);
  expect(initialize(payer)).toContain(refusal('WrongAuthority'));
  expect(initialize(next)).toBe('');
  expect(svm.getAccount(address(CONFIG.toBase58())).exists).toBe(true);
});

test('a program that nobody can upgrade any more cannot be initialised, not even by its last upgrade authority', () => {
  deploy(ELF);
  svm.warpToSlot(svm.getClock().slot + 1n);
  succeed([setAuthority(undefined)]);
  const { data } = svm.getAccount(address(PROGRAM_DATA.toBase58())) as unknown as { data: Uint8Array };
  expect(Buffer.from(data.slice(13, 45))).toEqual(payer.publicKey.toBuffer());
  expect(initialize(payer)).toContain(refusal('WrongAuthority'));
});

/** The last log line of a refusal; empty where the instruction succeeds. */
function initialize(admin: Keypair): string {
  svm.airdrop(address(admin.publicKey.toBase58()), lamports(1_000_000_000n));
  const authority = Keypair.generate();
  const instruction = new TransactionInstruction({
    programId: PROGRAM_ID,
    keys: [
      writable(CONFIG),
      { ...signer(admin.publicKey), isWritable: true },
      signer(authority.publicKey),
      readonly(PROGRAM_DATA),
      readonly(SystemProgram.programId),
    ],
    data: Buffer.from(INSTRUCTION_DISCRIMINATORS.initialize_v1),
  });
  const signers = admin === payer ? [authority] : [admin, authority];
  const { failed, logs } = send([instruction], ...signers);
  return failed ? (logs.at(-1) ?? 'refused') : '';
}

function refusal(name: Parameters<typeof errorCode>[0]): string {
  return `custom program error: 0x${errorCode(name).toString(16)}`;
}

/** @param next undefined makes the program immutable */
function setAuthority(next: PublicKey | undefined): TransactionInstruction {
  const keys = [writable(PROGRAM_DATA), signer(payer.publicKey), ...(next ? [readonly(next)] : [])];
  return loaderInstruction(keys, u32(SET_AUTHORITY));
}

function deploy(elf: Uint8Array): void {
  const buffer = Keypair.generate();
  succeed(
    [
      createAccount(buffer.publicKey, BUFFER_HEADER + elf.length),
      loaderInstruction([writable(buffer.publicKey), readonly(payer.publicKey)], u32(INITIALIZE_BUFFER)),
    ],
    buffer,
  );
  for (let offset = 0; offset < elf.length; offset += CHUNK) {
    const chunk = elf.subarray(offset, offset + CHUNK);
    const data = Buffer.concat([u32(WRITE), u32(offset), u64(chunk.length), chunk]);
    succeed([loaderInstruction([writable(buffer.publicKey), signer(payer.publicKey)], data)]);
  }
  const accounts = [
    { ...signer(payer.publicKey), isWritable: true },
    writable(PROGRAM_DATA),
    writable(PROGRAM_ID),
    writable(buffer.publicKey),
    readonly(SYSVAR_RENT_PUBKEY),
    readonly(SYSVAR_CLOCK_PUBKEY),
    readonly(SystemProgram.programId),
    signer(payer.publicKey),
  ];
  succeed(
    [
      createAccount(PROGRAM_ID, PROGRAM_ACCOUNT),
      loaderInstruction(accounts, Buffer.concat([u32(DEPLOY), u64(elf.length)])),
    ],
    program,
  );
}

function succeed(instructions: TransactionInstruction[], ...signers: Keypair[]): void {
  const { failed, logs } = send(instructions, ...signers);
  if (failed) throw new Error(logs.join('\n'));
}

function send(instructions: TransactionInstruction[], ...signers: Keypair[]) {
  svm.expireBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: svm.latestBlockhash(),
    instructions,
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer, ...signers]);
  const result = svm.sendTransaction(getTransactionDecoder().decode(transaction.serialize()));
  const failed = result instanceof FailedTransactionMetadata;
  return { failed, logs: (failed ? result.meta() : result).logs() };
}

function createAccount(key: PublicKey, space: number): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: key,
    lamports: Number(svm.minimumBalanceForRentExemption(BigInt(space))),
    space,
    programId: LOADER,
  });
}

function loaderInstruction(keys: TransactionInstruction['keys'], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data });
}

function readonly(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: false };
}

function writable(pubkey: PublicKey) {
  return { pubkey, isSigner: false, isWritable: true };
}

function signer(pubkey: PublicKey) {
  return { pubkey, isSigner: true, isWritable: false };
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
