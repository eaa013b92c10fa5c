import { beforeEach, expect, test } from 'vitest';
import { CONFIG, startWithPermit, type TicketVm } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = await startWithPermit();
});

test('rotate_admin_v1: the new admin rotates from then on, the old one no longer', async () => {
  expect((await vm.rotateAdmin(vm.stranger)).error).toBeUndefined();
  expect((await vm.rotate(vm.buyer)).error).toBe('WrongAuthority');
  expect((await vm.rotateAdmin(vm.buyer)).error).toBe('WrongAuthority');
  const rotated = await vm.rotate(vm.buyer, { admin: vm.stranger.publicKey }, [vm.stranger, vm.buyer, vm.payer]);
  expect(rotated.error).toBeUndefined();
});

test('rotate_admin_v1: tells both admins in AdminRotated', async () => {
  const { events } = await vm.rotateAdmin(vm.stranger);
  expect(events).toEqual([{ name: 'adminRotated', data: { from: vm.admin.publicKey, to: vm.stranger.publicKey } }]);
});

test('rotate_admin_v1: keeps authority and bump, and listings go on', async () => {
  const before = vm.decode('config', CONFIG);
  await vm.rotateAdmin(vm.stranger);
  expect(vm.decode('config', CONFIG)).toEqual({ ...before, admin: vm.stranger.publicKey });
  expect((await vm.list()).error).toBeUndefined();
});

test('rotate_admin_v1: nobody but the admin may do it, not even the authority', async () => {
  for (const pretender of [vm.stranger, vm.authority]) {
    const outcome = await vm.rotateAdmin(vm.buyer, { admin: pretender.publicKey }, [pretender, vm.buyer]);
    expect(outcome.error).toBe('WrongAuthority');
  }
  expect(vm.decode('config', CONFIG).admin).toEqual(vm.admin.publicKey);
});

test('rotate_admin_v1: a new upgrade authority is no admin by that', async () => {
  vm.forgeProgramData(vm.stranger.publicKey);
  const outcome = await vm.rotateAdmin(vm.buyer, { admin: vm.stranger.publicKey }, [vm.stranger, vm.buyer]);
  expect(outcome.error).toBe('WrongAuthority');
});
