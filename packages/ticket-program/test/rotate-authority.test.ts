import { beforeEach, expect, test } from 'vitest';
import { CONFIG, startWithPermit, type TicketVm } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = await startWithPermit();
});

test('rotate_authority_v1: the new authority co-signs from then on, the old one no longer', async () => {
  expect((await vm.rotate(vm.stranger)).error).toBeUndefined();
  expect((await vm.list()).error).toBe('WrongAuthority');
  const listed = await vm.list({ authority: vm.stranger.publicKey }, [vm.owner, vm.stranger]);
  expect(listed.error).toBeUndefined();
});

test('rotate_authority_v1: tells both authorities in AuthorityRotated', async () => {
  const { events } = await vm.rotate(vm.stranger);
  expect(events).toEqual([
    { name: 'authorityRotated', data: { from: vm.authority.publicKey, to: vm.stranger.publicKey } },
  ]);
});

test('rotate_authority_v1: keeps admin and bump', async () => {
  const before = vm.decode('config', CONFIG);
  await vm.rotate(vm.stranger);
  expect(vm.decode('config', CONFIG)).toEqual({ ...before, authority: vm.stranger.publicKey });
});

test('rotate_authority_v1: nobody but the admin may do it, not even the authority itself', async () => {
  for (const pretender of [vm.stranger, vm.authority]) {
    const outcome = await vm.rotate(vm.buyer, { admin: pretender.publicKey }, [pretender, vm.buyer]);
    expect(outcome.error).toBe('WrongAuthority');
  }
  expect(vm.decode('config', CONFIG).authority).toEqual(vm.authority.publicKey);
});
