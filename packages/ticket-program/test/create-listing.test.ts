import { beforeEach, expect, test } from 'vitest';
import { PERMIT_STATES } from '../src/describe-program.ts';
import { PERMIT, PRICE, startWithPermit, type TicketVm, ZERO } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(async () => {
  vm = await startWithPermit();
});

test('create_listing_v1: stores price and marketplace, and leaves the rest alone', async () => {
  const before = vm.decode('permit', PERMIT);
  expect((await vm.list()).error).toBeUndefined();
  const { price, ...permit } = vm.decode('permit', PERMIT);
  const { price: _, ...unchanged } = before;
  expect(price.toString()).toBe(PRICE.toString());
  expect(permit).toEqual({ ...unchanged, state: PERMIT_STATES.listed, marketplace: vm.marketplace.publicKey });
});

test('create_listing_v1: tells the sale in ListingCreated', async () => {
  const { events } = await vm.list();
  expect(events.map(({ name }) => name)).toEqual(['listingCreated']);
  const { price, ...keys } = events[0]?.data ?? {};
  expect(String(price)).toBe(PRICE.toString());
  expect(keys).toEqual({
    permit: PERMIT,
    owner: vm.owner.publicKey,
    marketplace: vm.marketplace.publicKey,
  });
});

test('create_listing_v1: the price may be any u64 but zero', async () => {
  expect((await vm.list({}, undefined, 0n)).error).toBe('BadPrice');
  const highest = 2n ** 64n - 1n;
  expect((await vm.list({}, undefined, highest)).error).toBeUndefined();
  expect(vm.decode('permit', PERMIT).price.toString()).toBe(highest.toString());
});

test('create_listing_v1: nobody but the owner lists a permit', async () => {
  const outcome = await vm.list({ owner: vm.stranger.publicKey }, [vm.stranger, vm.authority]);
  expect(outcome.error).toBe('WrongOwner');
});

test('create_listing_v1: nobody but the authority co-signs', async () => {
  const outcome = await vm.list({ authority: vm.stranger.publicKey }, [vm.owner, vm.stranger]);
  expect(outcome.error).toBe('WrongAuthority');
});

test('create_listing_v1: a listed permit is not listed again, so that nobody changes price or marketplace', async () => {
  await vm.list();
  const again = await vm.list({ marketplace: vm.stranger.publicKey }, undefined, 1n);
  expect(again.error).toBe('WrongState');
  expect(vm.decode('permit', PERMIT).marketplace).toEqual(vm.marketplace.publicKey);
});

test('create_listing_v1: the marketplace is neither zero nor the permit', async () => {
  for (const marketplace of [ZERO, PERMIT]) {
    expect((await vm.list({ marketplace })).error).toBe('BadMarketplace');
  }
});

test('create_listing_v1: the marketplace need not sign', async () => {
  const outcome = await vm.list({ marketplace: vm.stranger.publicKey }, [vm.owner, vm.authority]);
  expect(outcome.error).toBeUndefined();
});
