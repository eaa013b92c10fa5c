import { describe, expect, test } from 'vitest';
import { PERMIT_STATES } from '../src/describe-program.ts';
import { PERMIT, PRICE, startWithListing, startWithPermit, ZERO } from './ticket-vm.ts';

describe('transfer_permit_v1 of a held permit', () => {
  test('its owner gives it to another wallet', async () => {
    const vm = await startWithPermit();
    const before = vm.decode('permit', PERMIT);
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
    expect(vm.decode('permit', PERMIT)).toEqual({ ...before, owner: vm.buyer.publicKey });
  });

  test('PermitTransferred tells both owners and a price of zero', async () => {
    const vm = await startWithPermit();
    const { events } = await vm.transfer(vm.owner, vm.buyer.publicKey);
    expect(events.map(({ name }) => name)).toEqual(['permitTransferred']);
    const { price, ...keys } = events[0]?.data ?? {};
    expect(String(price)).toBe('0');
    expect(keys).toEqual({ permit: PERMIT, from: vm.owner.publicKey, to: vm.buyer.publicKey });
  });

  test('nobody else moves it: neither the authority nor the admin nor a marketplace', async () => {
    const vm = await startWithPermit();
    for (const pretender of [vm.stranger, vm.authority, vm.admin, vm.marketplace]) {
      expect((await vm.transfer(pretender, vm.buyer.publicKey)).error).toBe('WrongOwner');
    }
    expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
  });

  test('who gave it away cannot give it away again; the new owner can', async () => {
    const vm = await startWithPermit();
    await vm.transfer(vm.owner, vm.buyer.publicKey);
    expect((await vm.transfer(vm.owner, vm.stranger.publicKey)).error).toBe('WrongOwner');
    expect((await vm.transfer(vm.buyer, vm.stranger.publicKey)).error).toBeUndefined();
  });

  test('the destination is another wallet: not the owner, nor zero, nor the permit itself', async () => {
    const vm = await startWithPermit();
    for (const destination of [vm.owner.publicKey, ZERO, PERMIT]) {
      expect((await vm.transfer(vm.owner, destination)).error).toBe('BadDestination');
    }
  });
});

describe('transfer_permit_v1 of a listed permit', () => {
  test('the marketplace of the listing hands it over, held', async () => {
    const vm = await startWithListing();
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBeUndefined();
    const permit = vm.decode('permit', PERMIT);
    expect(permit.owner).toEqual(vm.buyer.publicKey);
    expect(permit.state).toBe(PERMIT_STATES.held);
    expect(permit.marketplace).toEqual(ZERO);
    expect(permit.price.toNumber()).toBe(0);
  });

  test('PermitTransferred tells the price of the listing', async () => {
    const vm = await startWithListing();
    const { events } = await vm.transfer(vm.marketplace, vm.buyer.publicKey);
    expect(String(events[0]?.data.price)).toBe(PRICE.toString());
  });

  test('nobody else moves it: neither its owner nor the authority nor the admin', async () => {
    const vm = await startWithListing();
    for (const pretender of [vm.owner, vm.authority, vm.admin, vm.stranger]) {
      expect((await vm.transfer(pretender, vm.buyer.publicKey)).error).toBe('WrongAuthority');
    }
    expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
  });

  test('the marketplace moves it once', async () => {
    const vm = await startWithListing();
    await vm.transfer(vm.marketplace, vm.buyer.publicKey);
    expect((await vm.transfer(vm.marketplace, vm.stranger.publicKey)).error).toBe('WrongOwner');
  });

  test('the destination is another wallet: not the owner, nor zero, nor the permit itself', async () => {
    const vm = await startWithListing();
    for (const destination of [vm.owner.publicKey, ZERO, PERMIT]) {
      expect((await vm.transfer(vm.marketplace, destination)).error).toBe('BadDestination');
    }
  });

  test('a rotated authority changes nothing for the marketplace', async () => {
    const vm = await startWithListing();
    await vm.rotate(vm.stranger);
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBeUndefined();
  });
});
