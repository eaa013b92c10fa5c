/**
 * A Solana VM with the committed program in it, and the wallets of a story. Instructions come from Anchor and the committed IDL, as a
 * partner would build them; web3.js signs; so that a test proves the IDL, the program and the two client libraries to agree.
 */
import { readFileSync } from 'node:fs';
import anchor from '@coral-xyz/anchor';
import { address, getTransactionDecoder, lamports } from '@solana/kit';
import {
  type AccountMeta,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { expect, test } from 'vitest';
import { ACCOUNTS, type AccountName, DISCRIMINATOR_SIZE, sizeOf } from '../src/describe-program.ts';
import { LOCAL_ADMIN_SEED, LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { readLocalProgram } from '../src/local-program.ts';
import { LOADER, programDataOf } from './loader.ts';

export const ELF: Uint8Array = readLocalProgram().elf;
export const IDL: anchor.Idl = JSON.parse(readFileSync(new URL('../program/idl.json', import.meta.url), 'utf8'));
export const PROGRAM_ID = new PublicKey(LOCAL_PROGRAM_ID);
export const PROGRAM_DATA = programDataOf(PROGRAM_ID);
export const ZERO = SystemProgram.programId;
export const PRICE = 5_000_000n;
/** What a transfer out of a permit's first listing names. */
export const FIRST_LISTING = { listing: 1n, price: PRICE };

const ONE_SOL = 1_000_000_000n;
/** When the events of a story can be closed, in Unix seconds. */
export const CLOSABLE_FROM = 2_000_000_000n;

/** `FailedTransactionMetadata` gives the runtime's own errors as numbers; these are the ones that the program returns. */
const RUNTIME_ERRORS: Readonly<Record<number, string>> = {
  1: 'InvalidArgument',
  19: 'NotEnoughAccountKeys',
  45: 'ArithmeticOverflow',
};

export type Accounts = Readonly<Record<string, PublicKey>>;

export interface Outcome {
  /** Name of the program's error or of the runtime's, or what the VM says; none when the transaction succeeded. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
  /** As Anchor's `EventParser` reads them from the logs. */
  readonly events: readonly anchor.Event[];
  readonly computeUnits: number;
  /** The return data. */
  readonly returned: Uint8Array;
}

export type TicketVm = ReturnType<typeof startTicketVm>;
export type Wallet = 'admin' | 'authority' | 'payer' | 'owner' | 'buyer' | 'marketplace' | 'stranger';

/** The address that seeds give under the program; text is taken as its UTF-8 bytes. */
export function derive(...seeds: readonly (string | Uint8Array)[]): PublicKey {
  return PublicKey.findProgramAddressSync(
    seeds.map((seed) => Buffer.from(seed)),
    PROGRAM_ID,
  )[0];
}

export const CONFIG = derive('config');
export const EVENT_ID = new Uint8Array(32).fill(7);
export const TICKET_ID = new Uint8Array(32).fill(9);
export const EVENT = derive('event', EVENT_ID);
export const PERMIT = derive('permit', EVENT.toBytes(), TICKET_ID);
export const OTHER_ID = new Uint8Array(32).fill(8);
export const OTHER_EVENT = derive('event', OTHER_ID);

/** Changes what an instruction says of one of its accounts. */
export function setMeta(instruction: TransactionInstruction, index: number, change: Partial<AccountMeta>): void {
  instruction.keys = instruction.keys.map((meta, at) => (at === index ? { ...meta, ...change } : meta));
}

/** @returns bytes of an account of the program, discriminator included */
export function accountSize(name: AccountName): number {
  const layout = ACCOUNTS.find((account) => account.name === name);
  if (!layout) throw new Error(`no account is called ${name}`);
  return DISCRIMINATOR_SIZE + sizeOf(layout.fields);
}

export function startTicketVm(elf: Uint8Array = ELF) {
  const svm = new LiteSVM();
  const program = new anchor.Program(IDL, { connection: {} as never });
  const parser = new anchor.EventParser(PROGRAM_ID, program.coder);
  const decoder = getTransactionDecoder();

  const admin = Keypair.fromSeed(LOCAL_ADMIN_SEED);
  const authority = Keypair.generate();
  const payer = Keypair.generate();
  const owner = Keypair.generate();
  const buyer = Keypair.generate();
  const marketplace = Keypair.generate();
  const organiser = Keypair.generate();
  const stranger = Keypair.generate();
  // Not one of the story's wallets: the fee payer signs and is writable whatever an instruction says of it.
  const feePayer = Keypair.generate();

  svm.addProgram(address(LOCAL_PROGRAM_ID), elf);
  forgeProgramData(admin.publicKey);

  /** The program's ProgramData account as the loader writes it, with another upgrade authority. */
  function programData(authority: PublicKey): Uint8Array {
    const header = Buffer.alloc(45);
    header.writeUInt32LE(3);
    header.writeUInt8(1, 12);
    authority.toBuffer().copy(header, 13);
    return Buffer.concat([header, elf]);
  }

  function forgeProgramData(authority: PublicKey): void {
    forge(PROGRAM_DATA, programData(authority), LOADER);
  }

  function fund(key: PublicKey, amount: bigint = 100n * ONE_SOL): void {
    svm.airdrop(address(key.toBase58()), lamports(amount));
  }
  for (const { publicKey } of [feePayer, admin, payer, stranger]) fund(publicKey);

  /** Accounts that the IDL lets Anchor derive may be left out. */
  function build(name: string, args: readonly unknown[], accounts: Accounts): Promise<TransactionInstruction> {
    const method = program.methods[name];
    if (!method) throw new Error(`the IDL has no ${name}`);
    return method(...args)
      .accountsPartial(accounts)
      .instruction();
  }

  /** Signs with those of the wallets that the instruction says must sign. */
  function sign(instruction: TransactionInstruction, signers: readonly Keypair[]): Uint8Array {
    // Else the second of two equal transactions is refused as already processed.
    svm.expireBlockhash();
    const message = new TransactionMessage({
      payerKey: feePayer.publicKey,
      recentBlockhash: svm.latestBlockhash(),
      instructions: [instruction],
    }).compileToV0Message();
    const required = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
    const transaction = new VersionedTransaction(message);
    transaction.sign([feePayer, ...signers].filter((signer) => required.some((key) => key.equals(signer.publicKey))));
    return transaction.serialize();
  }

  function send(instruction: TransactionInstruction, signers: readonly Keypair[]): Outcome {
    const result = svm.sendTransaction(decoder.decode(sign(instruction, signers)));
    const failed = result instanceof FailedTransactionMetadata;
    const meta = failed ? result.meta() : result;
    return {
      error: failed ? errorName(result) : undefined,
      logs: meta.logs(),
      events: [...parser.parseLogs(meta.logs())],
      computeUnits: Number(meta.computeUnitsConsumed()),
      returned: meta.returnData().data(),
    };
  }

  async function run(
    name: string,
    args: readonly unknown[],
    accounts: Accounts,
    signers: readonly Keypair[],
  ): Promise<Outcome> {
    const instruction = await build(name, args, accounts);
    twist?.(instruction);
    return send(instruction, signers);
  }

  /** Changes every instruction of the story from now on. */
  let twist: ((instruction: TransactionInstruction) => void) | undefined;
  function twistWith(change: (instruction: TransactionInstruction) => void): void {
    twist = change;
  }

  const ownerAndAuthority = { owner: owner.publicKey, authority: authority.publicKey };
  const authorityAndPayer = { authority: authority.publicKey, payer: payer.publicKey };
  const closers = { authority: authority.publicKey, receiver: payer.publicKey };
  const story = {
    initialize: (over: Accounts = {}, signers = [admin, authority, payer]) =>
      run('initializeV1', [], { admin: admin.publicKey, ...authorityAndPayer, ...over }, signers),
    rotate: (to: Keypair, over: Accounts = {}, signers = [admin, to]) =>
      run('rotateAuthorityV1', [], { admin: admin.publicKey, newAuthority: to.publicKey, ...over }, signers),
    retire: (former: PublicKey, over: Accounts = {}, signers = [admin]) =>
      run('retireAuthorityV1', [], { admin: admin.publicKey, formerAuthority: former, ...over }, signers),
    rotateAdmin: (to: Keypair, over: Accounts = {}, signers = [admin, to]) =>
      run('rotateAdminV1', [], { admin: admin.publicKey, newAdmin: to.publicKey, ...over }, signers),
    rotatePayer: (to: Keypair, over: Accounts = {}, signers = [admin, to]) =>
      run('rotatePayerV1', [], { admin: admin.publicKey, newPayer: to.publicKey, ...over }, signers),
    register: (over: Accounts = {}, signers = [authority, payer], eventId = EVENT_ID, closableFrom = CLOSABLE_FROM) =>
      run(
        'registerEventV1',
        [[...eventId], bn(closableFrom)],
        { ...authorityAndPayer, organiser: organiser.publicKey, ...over },
        signers,
      ),
    issue: (over: Accounts = {}, signers = [authority, payer], ticketId = TICKET_ID, to = owner.publicKey) =>
      run('issuePermitV1', [[...ticketId], to], { ...authorityAndPayer, event: EVENT, ...over }, signers),
    list: (over: Accounts = {}, signers = [owner, authority], price = PRICE) =>
      run(
        'createListingV1',
        [bn(price)],
        { permit: PERMIT, ...ownerAndAuthority, marketplace: marketplace.publicKey, ...over },
        signers,
      ),
    cancel: (over: Accounts = {}, signers = [owner, authority]) =>
      run('cancelListingV1', [], { permit: PERMIT, ...ownerAndAuthority, ...over }, signers),
    /** Of a held permit, unless number and price of the listing are given. */
    transfer: (by: Keypair, to: PublicKey, over: Accounts = {}, { listing = 0n, price = 0n } = {}) =>
      run(
        'transferPermitV1',
        [bn(listing), bn(price)],
        { permit: PERMIT, transferAuthority: by.publicKey, destination: to, ...over },
        [by],
      ),
    closeEvent: (over: Accounts = {}, signers = [authority]) =>
      run('closeEventV1', [], { event: EVENT, ...closers, ...over }, signers),
    closePermit: (over: Accounts = {}, signers = [authority]) =>
      run('closePermitV1', [], { event: EVENT, permit: PERMIT, ...closers, ...over }, signers),
  };
  /** What the chain holds at an address: nothing when no account is there. */
  function account(key: PublicKey) {
    const found = svm.getAccount(address(key.toBase58()));
    return found.exists ? found : undefined;
  }

  /** Sets the cluster's clock, in Unix seconds. */
  function setTime(unixSeconds: bigint): void {
    const { slot, epochStartTimestamp, epoch, leaderScheduleEpoch } = svm.getClock();
    svm.setClock(new Clock(slot, epochStartTimestamp, epoch, leaderScheduleEpoch, unixSeconds));
  }

  function balance(key: PublicKey): bigint {
    return svm.getBalance(address(key.toBase58())) ?? 0n;
  }

  /** An account as Anchor decodes it, with its numbers as bigint. @throws Error when it is not there or not of that kind */
  function decode(kind: 'config' | 'event' | 'closedEvent' | 'permit', key: PublicKey) {
    const fields = program.coder.accounts.decode(kind, Buffer.from(account(key)?.data ?? []));
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, anchor.BN.isBN(value) ? BigInt(String(value)) : value]),
    ) as typeof fields;
  }

  /** Puts an account on the chain that no transaction made. */
  function forge(key: PublicKey, data: Uint8Array, programId: PublicKey, amount = ONE_SOL): void {
    svm.setAccount({
      address: address(key.toBase58()),
      data,
      executable: false,
      lamports: lamports(amount),
      programAddress: address(programId.toBase58()),
      space: BigInt(data.length),
    });
  }

  const wallets = { admin, authority, payer, owner, buyer, marketplace, organiser, stranger };
  return {
    svm,
    ...wallets,
    ...story,
    fund,
    build,
    send,
    twistWith,
    account,
    balance,
    decode,
    setTime,
    forge,
    programData,
    forgeProgramData,
  };
}

export type Start = () => TicketVm | Promise<TicketVm>;

/** A VM in which one more step of the story has succeeded. */
export function after(start: Start, step: (vm: TicketVm) => Promise<Outcome>): () => Promise<TicketVm> {
  return async () => {
    const vm = await start();
    expectSuccess(await step(vm));
    return vm;
  };
}

export const startInitialised = after(startTicketVm, (vm) => vm.initialize());
export const startWithEvent = after(startInitialised, (vm) => vm.register());
/** One permit, which `owner` holds. */
export const startWithPermit = after(startWithEvent, (vm) => vm.issue());
/** The same permit on the market. */
export const startWithListing = after(startWithPermit, (vm) => vm.list());
/** `stranger` is the authority. */
export const startRotated = after(startWithPermit, (vm) => vm.rotate(vm.stranger));

/** The time has come at which the event can be closed. */
export const startClosable = async () => {
  const vm = await startWithPermit();
  vm.setTime(CLOSABLE_FROM);
  return vm;
};
/** The event is closed; `owner` holds the permit. */
export const startClosed = after(startClosable, (vm) => vm.closeEvent());

/** By error: what is tried, on which chain, and the hostile call. */
export type Refusals = Record<string, [title: string, Start, (vm: TicketVm) => Promise<Outcome>][]>;

/** A test of each. */
export function testRefusals(refusals: Refusals): void {
  const all = Object.entries(refusals).flatMap(([error, rows]) =>
    rows.map(([title, start, attempt]) => ({ error, title, start, attempt })),
  );
  test.each(all)('$error, and no account or balance changes: $title', async ({ error, start, attempt }) => {
    const vm = await start();
    const keys = [CONFIG, EVENT, OTHER_EVENT, PERMIT, vm.payer.publicKey, vm.authority.publicKey, vm.owner.publicKey];
    const state = () => keys.map((key) => [vm.account(key)?.data, vm.balance(key)]);
    // An attempt may put a look-alike on the chain first.
    let before: unknown;
    vm.twistWith(() => {
      before = state();
    });
    expect((await attempt(vm)).error).toBe(error);
    expect(state()).toEqual(before);
  });
}

function bn(value: bigint): anchor.BN {
  return new anchor.BN(value.toString());
}

function expectSuccess({ error, logs }: Outcome): void {
  if (error) throw new Error(`${error}\n${logs.join('\n')}`);
}

function errorName(result: FailedTransactionMetadata): string {
  const error = result.err();
  const inner = typeof error === 'object' && 'err' in error ? error.err() : undefined;
  if (typeof inner === 'object' && 'code' in inner) {
    return IDL.errors?.find(({ code }) => code === inner.code)?.name ?? `Custom(${inner.code})`;
  }
  return (typeof inner === 'number' && RUNTIME_ERRORS[inner]) || String(error);
}
