import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { INSTRUCTIONS, type Instruction } from '../src/describe-program.ts';
import {
  type Outcome,
  setFlags,
  startTicketVm,
  startWithListing,
  startWithPermit,
  type TicketVm,
} from './ticket-vm.ts';

/** Another ticket and event than the ones that exist. */
const NEW_ID = new Uint8Array(32).fill(77);

async function startRotated(): Promise<TicketVm> {
  const vm = await startWithPermit();
  await vm.rotate(vm.stranger);
  return vm;
}

/** For each instruction a VM in which it works, and the call. */
const STORIES: Record<string, [() => TicketVm | Promise<TicketVm>, (vm: TicketVm) => Promise<Outcome>]> = {
  initialize_v1: [startTicketVm, (vm) => vm.initialize()],
  rotate_authority_v1: [startWithPermit, (vm) => vm.rotate(vm.stranger)],
  retire_authority_v1: [startRotated, (vm) => vm.retire(vm.authority.publicKey)],
  rotate_admin_v1: [startWithPermit, (vm) => vm.rotateAdmin(vm.stranger)],
  register_event_v1: [startWithPermit, (vm) => vm.register({}, undefined, NEW_ID)],
  issue_permit_v1: [startWithPermit, (vm) => vm.issue({}, undefined, NEW_ID)],
  create_listing_v1: [startWithPermit, (vm) => vm.list()],
  cancel_listing_v1: [startWithListing, (vm) => vm.cancel()],
  transfer_permit_v1: [startWithPermit, (vm) => vm.transfer(vm.owner, vm.buyer.publicKey)],
};

/** @returns the error of an instruction that `change` has changed */
async function errorOf(name: string, change: (instruction: TransactionInstruction, vm: TicketVm) => void = () => {}) {
  const [start, call] = STORIES[name] ?? [];
  if (!start || !call) throw new Error(`no story for ${name}`);
  const vm = await start();
  vm.twistWith((instruction) => change(instruction, vm));
  return (await call(vm)).error;
}

function slotsWith(flag: 'signer' | 'writable') {
  return INSTRUCTIONS.flatMap(({ name, accounts }: Instruction) =>
    accounts.flatMap((account, index) => (account[flag] ? [{ name, account: account.name, index }] : [])),
  );
}

test.each(slotsWith('signer'))('$name: refused unless $account signs', async ({ name, index }) => {
  expect(await errorOf(name, (changed) => setFlags(changed, index, { isSigner: false }))).toBe('MissingSignature');
});

test.each(slotsWith('writable'))('$name: refused unless $account is writable', async ({ name, index }) => {
  expect(await errorOf(name, (changed) => setFlags(changed, index, { isWritable: false }))).toBe('NotWritable');
});

function withData(make: (data: Buffer) => Buffer) {
  return (instruction: TransactionInstruction) => {
    instruction.data = make(instruction.data);
  };
}

function withFurtherAccounts(instruction: TransactionInstruction, vm: TicketVm): void {
  const strangers = Array.from({ length: 5 }, () => Keypair.generate().publicKey);
  const further = [vm.stranger.publicKey, ...strangers, vm.stranger.publicKey, ...strangers];
  instruction.keys.push(...further.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })));
}

describe.each(INSTRUCTIONS.map(({ name }) => name))('%s', (name) => {
  test.each([
    ['works as the IDL says', undefined, undefined],
    ['passes over further accounts, repeated ones too', withFurtherAccounts, undefined],
    ['is refused with a byte more', withData((data) => Buffer.concat([data, Buffer.alloc(1)])), 'BadInstruction'],
    ['is refused with a byte less', withData((data) => data.subarray(0, -1)), 'BadInstruction'],
    [
      'is refused with an account less',
      (changed: TransactionInstruction) => changed.keys.pop(),
      'NotEnoughAccountKeys',
    ],
  ])('%s', async (_, change, error) => {
    expect(await errorOf(name, change)).toBe(error);
  });
});

test.each([
  ['no data', Buffer.alloc(0)],
  ['less than a discriminator', Buffer.alloc(7)],
  ['an unknown discriminator', Buffer.alloc(8, 1)],
])('BadInstruction for %s', async (_, data) => {
  expect(
    await errorOf(
      'transfer_permit_v1',
      withData(() => data),
    ),
  ).toBe('BadInstruction');
});
