import { beforeEach, expect, test } from 'vitest';
import { accountSize } from './account-size.ts';
import { CONFIG, PROGRAM_ID, startTicketVm, type TicketVm } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(() => {
  vm = startTicketVm();
});

test('initialize_v1: the admin of the build creates the configuration', async () => {
  expect((await vm.initialize()).error).toBeUndefined();
  const account = vm.account(CONFIG);
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.data.length).toBe(accountSize('Config'));
  expect(account?.lamports).toBe(vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Config'))));
  const config = vm.decode('config', CONFIG);
  expect(config.authority).toEqual(vm.authority.publicKey);
  expect(config.admin).toEqual(vm.admin.publicKey);
});

test('initialize_v1: nobody but the admin of the build may do it', async () => {
  const outcome = await vm.initialize({ admin: vm.stranger.publicKey }, [vm.stranger, vm.authority]);
  expect(outcome.error).toBe('WrongAuthority');
  expect(vm.account(CONFIG)).toBeUndefined();
});

test('initialize_v1: it works once, and a second time cannot change the authority', async () => {
  await vm.initialize();
  const again = await vm.initialize({ authority: vm.stranger.publicKey }, [vm.admin, vm.stranger]);
  expect(again.error).toBe('AlreadyExists');
  expect(vm.decode('config', CONFIG).authority).toEqual(vm.authority.publicKey);
});

test('initialize_v1: the configuration lies at its own address only', async () => {
  expect((await vm.initialize({ config: vm.stranger.publicKey })).error).toBe('BadPda');
});

test('initialize_v1: only the System program creates accounts', async () => {
  expect((await vm.initialize({ systemProgram: vm.stranger.publicKey })).error).toBe('BadAccount');
});

test('initialize_v1: lamports sent to the address beforehand do not block it', async () => {
  vm.fund(CONFIG, 1_000_000n);
  expect((await vm.initialize()).error).toBeUndefined();
  expect(vm.decode('config', CONFIG).admin).toEqual(vm.admin.publicKey);
});
