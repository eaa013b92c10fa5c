import { Rent } from 'litesvm';
import { beforeEach, describe, expect, test } from 'vitest';
import { PERMIT_STATES } from '../src/describe-program.ts';
import { accountSize } from './account-size.ts';
import {
  CONFIG,
  derive,
  EVENT,
  PERMIT,
  PROGRAM_ID,
  startTicketVm,
  TICKET_ID,
  type TicketVm,
  ZERO,
} from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = startTicketVm();
  await vm.initialize();
  await vm.register();
});

const rentOfPermit = () => vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Permit')));

test('issue_permit_v1: creates a permit that its owner holds', async () => {
  expect((await vm.issue()).error).toBeUndefined();
  expect(vm.account(PERMIT)?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(vm.account(PERMIT)?.lamports).toBe(rentOfPermit());
  const permit = vm.decode('permit', PERMIT);
  expect(permit.event).toEqual(EVENT);
  expect(Uint8Array.from(permit.ticketId)).toEqual(TICKET_ID);
  expect(permit.owner).toEqual(vm.owner.publicKey);
  expect(permit.state).toBe(PERMIT_STATES.held);
  expect(permit.marketplace).toEqual(ZERO);
  expect(permit.price.toNumber()).toBe(0);
});

test('issue_permit_v1: tells permit, event and owner in PermitIssued', async () => {
  const { events } = await vm.issue();
  expect(events).toEqual([{ name: 'permitIssued', data: { permit: PERMIT, event: EVENT, owner: vm.owner.publicKey } }]);
});

test('issue_permit_v1: each ticket of an event has a permit of its own', async () => {
  const secondId = new Uint8Array(32).fill(10);
  await vm.issue();
  const second = derive('permit', EVENT.toBytes(), secondId);
  expect((await vm.issue({}, undefined, secondId, vm.buyer.publicKey)).error).toBeUndefined();
  expect(vm.decode('permit', second).owner).toEqual(vm.buyer.publicKey);
  expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
});

test('issue_permit_v1: a ticket has one permit, which a second issue cannot take from its owner', async () => {
  await vm.issue();
  const again = await vm.issue({}, undefined, TICKET_ID, vm.stranger.publicKey);
  expect(again.error).toBe('AlreadyExists');
  expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
});

test('issue_permit_v1: nobody but the authority may do it', async () => {
  const outcome = await vm.issue({ authority: vm.stranger.publicKey }, [vm.stranger, vm.payer]);
  expect(outcome.error).toBe('WrongAuthority');
});

test('issue_permit_v1: the event must be a registered one', async () => {
  const unregistered = derive('event', new Uint8Array(32).fill(8));
  for (const event of [CONFIG, unregistered, vm.stranger.publicKey]) {
    expect((await vm.issue({ event })).error).toBe('BadAccount');
  }
});

test('issue_permit_v1: the permit lies at the address of its own ticket only', async () => {
  const ofOtherTicket = derive('permit', EVENT.toBytes(), new Uint8Array(32).fill(8));
  expect((await vm.issue({ permit: ofOtherTicket })).error).toBe('BadPda');
});

test('issue_permit_v1: a permit belongs to somebody: not to nobody, not to itself', async () => {
  for (const owner of [ZERO, PERMIT]) {
    expect((await vm.issue({}, undefined, TICKET_ID, owner)).error).toBe('BadDestination');
  }
});

test('issue_permit_v1: only the System program creates accounts', async () => {
  expect((await vm.issue({ systemProgram: vm.stranger.publicKey })).error).toBe('BadAccount');
});

test('issue_permit_v1: an account that another program made at the address is not taken over', async () => {
  vm.forge(PERMIT, new Uint8Array(0), vm.stranger.publicKey);
  expect((await vm.issue()).error).toBe('AlreadyExists');
});

test('issue_permit_v1: data that lies at the address already is not overwritten', async () => {
  vm.forge(PERMIT, new Uint8Array(8), ZERO);
  expect((await vm.issue()).error).toBe('AlreadyExists');
});

describe('issue_permit_v1: lamports sent to the address beforehand do not block it', () => {
  test.each([
    ['less than the rent: the payer adds the rest', (rent: bigint) => rent - 1n, (rent: bigint) => rent],
    ['exactly the rent', (rent: bigint) => rent, (rent: bigint) => rent],
    ['more than the rent: the surplus stays', (rent: bigint) => rent + 5n, (rent: bigint) => rent + 5n],
  ])('%s', async (_, sent, held) => {
    vm.fund(PERMIT, sent(rentOfPermit()));
    expect((await vm.issue()).error).toBeUndefined();
    expect(vm.account(PERMIT)?.lamports).toBe(held(rentOfPermit()));
    expect(vm.account(PERMIT)?.programAddress).toBe(PROGRAM_ID.toBase58());
    expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
  });
});

describe('SIMD-0194: the permit is rent-exempt under either form of the rent sysvar', () => {
  test.each([
    ['lamports per byte and year, two years', 3480n, 2, 2n],
    ['lamports per byte', 6960n, 1, 1n],
  ])('%s', async (_, lamportsPerByte, threshold, years) => {
    vm.svm.setRent(new Rent(lamportsPerByte, threshold, 50));
    expect((await vm.issue()).error).toBeUndefined();
    expect(vm.account(PERMIT)?.lamports).toBe((128n + BigInt(accountSize('Permit'))) * lamportsPerByte * years);
  });

  test('a form that the program does not know is refused instead of guessed', async () => {
    vm.svm.setRent(new Rent(3480n, 3, 50));
    expect((await vm.issue()).error).toBe('InvalidArgument');
    expect(vm.account(PERMIT)).toBeUndefined();
  });
});
