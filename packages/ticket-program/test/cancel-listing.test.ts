import { beforeEach, expect, test } from 'vitest';
import { PERMIT, startWithPermit, type TicketVm } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = await startWithPermit();
});

test('cancel_listing_v1: leaves the permit as it was before the listing', async () => {
  const before = vm.account(PERMIT);
  await vm.list();
  expect((await vm.cancel()).error).toBeUndefined();
  expect(vm.account(PERMIT)).toEqual(before);
});

test('cancel_listing_v1: tells permit and owner in ListingCancelled', async () => {
  await vm.list();
  const { events } = await vm.cancel();
  expect(events).toEqual([{ name: 'listingCancelled', data: { permit: PERMIT, owner: vm.owner.publicKey } }]);
});

test('cancel_listing_v1: a held permit has no listing to cancel', async () => {
  expect((await vm.cancel()).error).toBe('WrongState');
});

test('cancel_listing_v1: nobody but the owner cancels, not even the marketplace', async () => {
  await vm.list();
  for (const pretender of [vm.stranger, vm.marketplace]) {
    const outcome = await vm.cancel({ owner: pretender.publicKey }, [pretender, vm.authority]);
    expect(outcome.error).toBe('WrongOwner');
  }
});

test('cancel_listing_v1: nobody but the authority co-signs', async () => {
  await vm.list();
  const outcome = await vm.cancel({ authority: vm.stranger.publicKey }, [vm.owner, vm.stranger]);
  expect(outcome.error).toBe('WrongAuthority');
});

test('cancel_listing_v1: the marketplace has no power over the permit afterwards', async () => {
  await vm.list();
  await vm.cancel();
  expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBe('WrongOwner');
  expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
});
