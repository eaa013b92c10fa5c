import type { PublicKey } from '@solana/web3.js';
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_DISCRIMINATORS, ACCOUNT_VERSION, type AccountName } from '../src/describe-program.ts';
import {
  accountSize,
  after,
  CLOSABLE_FROM,
  CONFIG,
  EVENT,
  FIRST_LISTING,
  OTHER_EVENT,
  OTHER_ID,
  type Outcome,
  PERMIT,
  PROGRAM_ID,
  type Refusals,
  startClosable,
  startClosed,
  startWithPermit,
  type TicketVm,
  testRefusals,
  type Wallet,
  ZERO,
} from './ticket-vm.ts';

/** Also `OTHER_EVENT`, of which there is no permit, and which is open. */
const startWithOther = after(startClosed, (vm) => vm.register({}, undefined, OTHER_ID));
const startBothClosed = after(startWithOther, (vm) => vm.closeEvent({ event: OTHER_EVENT }));
/** The permit is on the market, and its event is closed. */
const startListedAndClosed = after(
  after(startClosable, (vm) => vm.list()),
  (vm) => vm.closeEvent(),
);
const startPermitClosed = after(startClosed, (vm) => vm.closePermit());
/** `stranger` is the authority, and `authority` the former one. */
const startRotatedClosable = after(startClosable, (vm) => vm.rotate(vm.stranger));
const startRotatedClosed = after(startClosed, (vm) => vm.rotate(vm.stranger));
const startOtherPayer = after(startClosable, (vm) => vm.rotatePayer(vm.stranger));
const startOtherPayerClosed = after(startClosed, (vm) => vm.rotatePayer(vm.stranger));

const rentOf = ({ svm }: TicketVm, name: AccountName) => svm.minimumBalanceForRentExemption(BigInt(accountSize(name)));

describe('close_event_v1', () => {
  test('leaves a mark with the rent of its 9 bytes; the payer gets the rest, to the lamport, and what somebody sent to it', async () => {
    const vm = await startClosable();
    vm.fund(EVENT, 12_345n);
    const [mark, held] = [rentOf(vm, 'ClosedEvent'), rentOf(vm, 'Event') + 12_345n];
    const before = vm.balance(vm.payer.publicKey);
    expect((await vm.closeEvent()).error).toBeUndefined();
    const account = vm.account(EVENT);
    expect(account).toMatchObject({ programAddress: PROGRAM_ID.toBase58(), lamports: mark });
    expect(account?.data).toHaveLength(9);
    expect(vm.decode('closedEvent', EVENT)).toEqual({ version: ACCOUNT_VERSION });
    expect(vm.balance(vm.payer.publicKey)).toBe(before + held - mark);
  });

  test.each([
    ['a second before its time', CLOSABLE_FROM - 1n, 'TooEarly'],
    ['in its second', CLOSABLE_FROM, undefined],
    ['before 1970', -1n, 'TooEarly'],
  ])('%s: %s, %s', async (_, time, error) => {
    const vm = await startWithPermit();
    vm.setTime(time);
    expect((await vm.closeEvent()).error).toBe(error);
  });

  test('an event that may be closed at a time which no clock can reach is never closed', async () => {
    const vm = await startClosed();
    await vm.register({}, undefined, OTHER_ID, 2n ** 63n);
    vm.setTime(2n ** 63n - 1n);
    expect((await vm.closeEvent({ event: OTHER_EVENT })).error).toBe('TooEarly');
  });
});

describe('close_permit_v1', () => {
  test('the account is gone; the payer gets all of its lamports', async () => {
    const vm = await startClosed();
    vm.fund(PERMIT, 12_345n);
    const [before, held] = [vm.balance(vm.payer.publicKey), vm.balance(PERMIT)];
    expect((await vm.closePermit()).error).toBeUndefined();
    expect(vm.account(PERMIT)).toBeUndefined();
    expect(vm.balance(vm.payer.publicKey)).toBe(before + held);
    expect(held).toBe(rentOf(vm, 'Permit') + 12_345n);
  });

  test('a permit that was on the market is closed after its cancellation or its sale', async () => {
    const steps = [
      (vm: TicketVm) => vm.cancel(),
      (vm: TicketVm) => vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, FIRST_LISTING),
    ];
    for (const step of steps) {
      const vm = await startListedAndClosed();
      expect((await step(vm)).error).toBeUndefined();
      expect((await vm.closePermit()).error).toBeUndefined();
    }
  });
});

/** By error: what is tried, on which chain, and the call. */
const REFUSED: Refusals = {
  WrongAuthority: [
    ['close event: a stranger', startClosable, (vm) => vm.closeEvent(...by(vm, 'stranger'))],
    ['close event: the admin', startClosable, (vm) => vm.closeEvent(...by(vm, 'admin'))],
    ['close event: the payer', startClosable, (vm) => vm.closeEvent(...by(vm, 'payer'))],
    ['close event: its organiser', startClosable, (vm) => vm.closeEvent(...by(vm, 'organiser'))],
    ['close event: the former authority', startRotatedClosable, (vm) => vm.closeEvent()],
    ['close permit: a stranger', startClosed, (vm) => vm.closePermit(...by(vm, 'stranger'))],
    ['close permit: the admin', startClosed, (vm) => vm.closePermit(...by(vm, 'admin'))],
    ['close permit: the payer', startClosed, (vm) => vm.closePermit(...by(vm, 'payer'))],
    ['close permit: its owner', startClosed, (vm) => vm.closePermit(...by(vm, 'owner'))],
    ['close permit: the former authority', startRotatedClosed, (vm) => vm.closePermit()],
  ],
  WrongReceiver: [
    ['close event: into the authority', startClosable, (vm) => vm.closeEvent(into(vm.authority))],
    ['close event: into a stranger', startClosable, (vm) => vm.closeEvent(into(vm.stranger))],
    ['close event: into itself', startClosable, (vm) => vm.closeEvent({ receiver: EVENT })],
    ['close event: into the payer before', startOtherPayer, (vm) => vm.closeEvent()],
    ['close permit: into its owner', startClosed, (vm) => vm.closePermit(into(vm.owner))],
    ['close permit: into a stranger', startClosed, (vm) => vm.closePermit(into(vm.stranger))],
    ['close permit: into itself', startClosed, (vm) => vm.closePermit({ receiver: PERMIT })],
    ['close permit: into the payer before', startOtherPayerClosed, (vm) => vm.closePermit()],
  ],
  TooEarly: [['close permit: the event can be closed, but is open', startClosable, (vm) => vm.closePermit()]],
  WrongState: [['close permit: a listed one', startListedAndClosed, (vm) => vm.closePermit()]],
  BadAccount: [
    ['close event: a second time', startClosed, (vm) => vm.closeEvent()],
    ['close event: a permit', startClosable, (vm) => vm.closeEvent({ event: PERMIT })],
    ['close event: the configuration', startClosable, (vm) => vm.closeEvent({ event: CONFIG })],
    ['close permit: a second time', startPermitClosed, (vm) => vm.closePermit()],
    ['close permit: with the mark of another event', startBothClosed, (vm) => vm.closePermit({ event: OTHER_EVENT })],
    ['close permit: with another event, which is open', startWithOther, (vm) => vm.closePermit({ event: OTHER_EVENT })],
    ['close permit: the mark as permit', startClosed, (vm) => vm.closePermit({ permit: EVENT })],
    ['close permit: a mark of another program', startClosed, (vm) => closeWithForgedMark(vm, vm.stranger.publicKey)],
    ['close permit: a mark elsewhere', startClosable, (vm) => closeWithMarkElsewhere(vm)],
    ['close permit: no account for the event', startClosed, (vm) => vm.closePermit({ event: vm.stranger.publicKey })],
    ['issue: another permit of a closed event', startClosed, (vm) => vm.issue({}, undefined, OTHER_ID)],
    ['issue: the closed permit again', startPermitClosed, (vm) => vm.issue()],
  ],
  WrongSize: [['close permit: a mark that is longer', startClosed, (vm) => closeWithMark(vm, [ACCOUNT_VERSION, 0])]],
  WrongVersion: [
    ['close permit: a mark of another version', startClosed, (vm) => closeWithMark(vm, [ACCOUNT_VERSION + 1])],
  ],
  AlreadyExists: [['register: a closed event again', startClosed, (vm) => vm.register()]],
};

testRefusals(REFUSED);

test('at the address of a closed permit nobody makes, lists, cancels or moves one, though lamports come later', async () => {
  const vm = await startPermitClosed();
  vm.fund(PERMIT, 10_000_000n);
  const move = () => vm.transfer(vm.owner, vm.buyer.publicKey);
  for (const step of [vm.issue, vm.list, vm.cancel, move, vm.closePermit])
    expect((await step()).error).toBe('BadAccount');
  expect(vm.account(PERMIT)).toMatchObject({ programAddress: ZERO.toBase58(), data: new Uint8Array() });
});

/** That wallet in the place of the authority. */
function by(vm: TicketVm, wallet: Wallet | 'organiser'): [{ authority: PublicKey }, Keypair[]] {
  return [{ authority: vm[wallet].publicKey }, [vm[wallet]]];
}

function into({ publicKey }: Keypair) {
  return { receiver: publicKey };
}

/** The permit's event is the mark's address, and another program owns it. */
function closeWithForgedMark(vm: TicketVm, owner: PublicKey): Promise<Outcome> {
  vm.forge(EVENT, Uint8Array.from(vm.account(EVENT)?.data ?? []), owner);
  return vm.closePermit();
}

/** The bytes of a mark, in an account of the program that is not the permit's event. */
async function closeWithMarkElsewhere(vm: TicketVm): Promise<Outcome> {
  const event = Keypair.generate().publicKey;
  vm.forge(event, markOf([ACCOUNT_VERSION]), PROGRAM_ID);
  return vm.closePermit({ event });
}

function closeWithMark(vm: TicketVm, rest: readonly number[]): Promise<Outcome> {
  vm.forge(EVENT, markOf(rest), PROGRAM_ID);
  return vm.closePermit();
}

/** A mark with these bytes after its discriminator. */
function markOf(rest: readonly number[]): Uint8Array {
  return Uint8Array.of(...ACCOUNT_DISCRIMINATORS.ClosedEvent, ...rest);
}
