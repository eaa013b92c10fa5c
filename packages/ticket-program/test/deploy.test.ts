import { address, getTransactionDecoder, lamports } from '@solana/kit';
import {
  Keypair,
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
import { deployment, readonly, setAuthority, signer, writable } from './loader.ts';
import { CONFIG, ELF, PROGRAM_DATA, PROGRAM_ID } from './ticket-vm.ts';

/** The loader verifies a program more strictly than a test VM that is handed one. */
const payer = Keypair.generate();
const program = Keypair.fromSeed(LOCAL_PROGRAM_SEED);
let svm: LiteSVM;
beforeEach(() => {
  svm = new LiteSVM();
  svm.airdrop(address(payer.publicKey.toBase58()), lamports(100_000_000_000n));
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
  const next = Keypair.generate();
  expect(initialize(next)).toContain(refusal('WrongAuthority'));
  succeed([setAuthority(PROGRAM_ID, payer.publicKey, next.publicKey)]);
  expect(initialize(payer)).toContain(refusal('WrongAuthority'));
  expect(initialize(next)).toBe('');
  expect(svm.getAccount(address(CONFIG.toBase58())).exists).toBe(true);
});

test('a program that nobody can upgrade any more cannot be initialised, not even by its last upgrade authority', () => {
  deploy(ELF);
  succeed([setAuthority(PROGRAM_ID, payer.publicKey, undefined)]);
  const { data } = svm.getAccount(address(PROGRAM_DATA.toBase58())) as unknown as { data: Uint8Array };
  expect(Buffer.from(data.slice(13, 45))).toEqual(payer.publicKey.toBuffer());
  expect(initialize(payer)).toContain(refusal('WrongAuthority'));
});

/** The last log line of a refusal; empty where the instruction succeeds. */
function initialize(admin: Keypair): string {
  svm.airdrop(address(admin.publicKey.toBase58()), lamports(1_000_000_000n));
  const authority = Keypair.generate();
  const receiver = Keypair.generate();
  const instruction = new TransactionInstruction({
    programId: PROGRAM_ID,
    keys: [
      writable(CONFIG),
      { ...signer(admin.publicKey), isWritable: true },
      signer(authority.publicKey),
      signer(receiver.publicKey),
      readonly(PROGRAM_DATA),
      readonly(SystemProgram.programId),
    ],
    data: Buffer.from(INSTRUCTION_DISCRIMINATORS.initialize_v1),
  });
  const signers = [authority, receiver, ...(admin === payer ? [] : [admin])];
  const { failed, logs } = send([instruction], ...signers);
  return failed ? (logs.at(-1) ?? 'refused') : '';
}

function refusal(name: Parameters<typeof errorCode>[0]): string {
  return `custom program error: 0x${errorCode(name).toString(16)}`;
}

function deploy(elf: Uint8Array): void {
  const rentOf = (bytes: number) => Number(svm.minimumBalanceForRentExemption(BigInt(bytes)));
  const { begin, writes, end } = deployment(payer.publicKey, program, elf, rentOf);
  for (const { instructions, signers } of [begin, ...writes, end]) succeed(instructions, ...signers);
  // it runs from the next slot on
  svm.warpToSlot(svm.getClock().slot + 1n);
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
