import { beforeEach, expect, test } from 'vitest';
import { accountSize } from './account-size.ts';
import { derive, EVENT, EVENT_ID, PROGRAM_ID, startTicketVm, type TicketVm } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = startTicketVm();
  await vm.initialize();
});

test('register_event_v1: creates the account of the event, which the payer pays', async () => {
  const before = vm.balance(vm.payer.publicKey);
  expect((await vm.register()).error).toBeUndefined();
  const account = vm.account(EVENT);
  const rent = vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Event')));
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.lamports).toBe(rent);
  expect(vm.balance(vm.payer.publicKey)).toBe(before - rent);
  const event = vm.decode('event', EVENT);
  expect(Uint8Array.from(event.eventId)).toEqual(EVENT_ID);
  expect(event.organiser).toEqual(vm.organiser.publicKey);
});

test('register_event_v1: nobody but the authority may do it', async () => {
  const outcome = await vm.register({ authority: vm.stranger.publicKey }, [vm.stranger, vm.payer]);
  expect(outcome.error).toBe('WrongAuthority');
});

test('register_event_v1: an event is registered once', async () => {
  await vm.register();
  expect((await vm.register({ organiser: vm.stranger.publicKey })).error).toBe('AlreadyExists');
  expect(vm.decode('event', EVENT).organiser).toEqual(vm.organiser.publicKey);
});

test('register_event_v1: the event lies at the address of its own id only', async () => {
  const otherEvent = derive('event', new Uint8Array(32).fill(8));
  expect((await vm.register({ event: otherEvent })).error).toBe('BadPda');
});

test('register_event_v1: only the System program creates accounts', async () => {
  expect((await vm.register({ systemProgram: vm.stranger.publicKey })).error).toBe('BadAccount');
});

test('register_event_v1: lamports sent to the address beforehand do not block it', async () => {
  vm.fund(EVENT, 1_000_000n);
  expect((await vm.register()).error).toBeUndefined();
  expect(vm.decode('event', EVENT).organiser).toEqual(vm.organiser.publicKey);
});
