import { Rent } from 'litesvm';
import { describe, expect, test } from 'vitest';
import { PERMIT_STATES } from '../src/describe-program.ts';
import {
  accountSize,
  CONFIG,
  derive,
  EVENT,
  EVENT_ID,
  type Outcome,
  PERMIT,
  PRICE,
  PROGRAM_ID,
  startTicketVm,
  startWithListing,
  startWithPermit,
  TICKET_ID,
  type TicketVm,
  ZERO,
} from './ticket-vm.ts';

async function startWithEvent(): Promise<TicketVm> {
  const vm = startTicketVm();
  await vm.initialize();
  await vm.register();
  return vm;
}

test('initialize_v1: the upgrade authority creates the configuration and becomes the admin', async () => {
  const vm = startTicketVm();
  expect((await vm.initialize()).error).toBeUndefined();
  const account = vm.account(CONFIG);
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.data.length).toBe(accountSize('Config'));
  expect(account?.lamports).toBe(vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Config'))));
  expect(vm.decode('config', CONFIG)).toMatchObject({ authority: vm.authority.publicKey, admin: vm.admin.publicKey });
});

test('register_event_v1: creates the account of the event, which the payer pays', async () => {
  const vm = startTicketVm();
  await vm.initialize();
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

test('lamports sent beforehand to the addresses of configuration and event do not block them', async () => {
  const vm = startTicketVm();
  for (const key of [CONFIG, EVENT]) vm.fund(key, 1_000_000n);
  for (const step of [vm.initialize, vm.register]) expect((await step()).error).toBeUndefined();
  expect(vm.decode('config', CONFIG).admin).toEqual(vm.admin.publicKey);
  expect(vm.decode('event', EVENT).organiser).toEqual(vm.organiser.publicKey);
});

describe('issue_permit_v1', () => {
  test('creates a permit that its owner holds, one for each ticket', async () => {
    const vm = await startWithPermit();
    const rent = vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Permit')));
    expect(vm.account(PERMIT)).toMatchObject({ programAddress: PROGRAM_ID.toBase58(), lamports: rent });
    const permit = vm.decode('permit', PERMIT);
    expect(Uint8Array.from(permit.ticketId)).toEqual(TICKET_ID);
    const owner = vm.owner.publicKey;
    expect(permit).toMatchObject({ event: EVENT, owner, state: PERMIT_STATES.held, marketplace: ZERO });
    expect(permit.price.toNumber()).toBe(0);
    const secondId = new Uint8Array(32).fill(10);
    expect((await vm.issue({}, undefined, secondId, vm.buyer.publicKey)).error).toBeUndefined();
    const second = derive('permit', EVENT.toBytes(), secondId);
    expect(vm.decode('permit', second).owner).toEqual(vm.buyer.publicKey);
    expect(vm.decode('permit', PERMIT).owner).toEqual(owner);
  });

  test.each([
    ['less than the rent: the payer adds the rest', -1n, 0n],
    ['exactly the rent', 0n, 0n],
    ['more than the rent: the surplus stays', 5n, 5n],
  ])('lamports sent to the address beforehand do not block it: %s', async (_, more, left) => {
    const vm = await startWithEvent();
    const rent = vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Permit')));
    vm.fund(PERMIT, rent + more);
    expect((await vm.issue()).error).toBeUndefined();
    expect(vm.account(PERMIT)).toMatchObject({ lamports: rent + left, programAddress: PROGRAM_ID.toBase58() });
    expect(vm.decode('permit', PERMIT).owner).toEqual(vm.owner.publicKey);
  });

  test.each([
    ['lamports per byte and year, two years', 3480n, 2, 2n],
    ['lamports per byte', 6960n, 1, 1n],
  ])('SIMD-0194: the permit is rent-exempt with %s', async (_, lamportsPerByte, threshold, years) => {
    const vm = await startWithEvent();
    vm.svm.setRent(new Rent(lamportsPerByte, threshold, 50));
    expect((await vm.issue()).error).toBeUndefined();
    expect(vm.account(PERMIT)?.lamports).toBe((128n + BigInt(accountSize('Permit'))) * lamportsPerByte * years);
  });

  test('SIMD-0194: a form of the rent that the program does not know is refused instead of guessed', async () => {
    const vm = await startWithEvent();
    vm.svm.setRent(new Rent(3480n, 3, 50));
    expect((await vm.issue()).error).toBe('InvalidArgument');
    expect(vm.account(PERMIT)).toBeUndefined();
  });
});

describe('create_listing_v1 and cancel_listing_v1', () => {
  test('a listing stores price and marketplace, a cancellation leaves the permit as it was', async () => {
    const vm = await startWithPermit();
    const before = vm.account(PERMIT);
    const { price: _, ...unchanged } = vm.decode('permit', PERMIT);
    expect((await vm.list()).error).toBeUndefined();
    const { price, ...permit } = vm.decode('permit', PERMIT);
    expect(price.toString()).toBe(PRICE.toString());
    expect(permit).toEqual({ ...unchanged, state: PERMIT_STATES.listed, marketplace: vm.marketplace.publicKey });
    expect((await vm.cancel()).error).toBeUndefined();
    expect(vm.account(PERMIT)).toEqual(before);
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBe('WrongOwner');
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
  });

  test('the price may be the highest u64', async () => {
    const vm = await startWithPermit();
    const highest = 2n ** 64n - 1n;
    expect((await vm.list({}, undefined, highest)).error).toBeUndefined();
    expect(vm.decode('permit', PERMIT).price.toString()).toBe(highest.toString());
  });
});

describe('transfer_permit_v1', () => {
  test('the owner of a held permit gives it to another wallet, which can give it on', async () => {
    const vm = await startWithPermit();
    const before = vm.decode('permit', PERMIT);
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
    expect(vm.decode('permit', PERMIT)).toEqual({ ...before, owner: vm.buyer.publicKey });
    expect((await vm.transfer(vm.buyer, vm.stranger.publicKey)).error).toBeUndefined();
  });

  test.each([
    ['as it was listed', async () => {}],
    ['after the authority has rotated', (vm: TicketVm) => vm.rotate(vm.stranger)],
  ])('the marketplace of a listing hands the permit over, held: %s', async (_, meanwhile) => {
    const vm = await startWithListing();
    await meanwhile(vm);
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBeUndefined();
    const permit = vm.decode('permit', PERMIT);
    expect(permit).toMatchObject({ owner: vm.buyer.publicKey, state: PERMIT_STATES.held, marketplace: ZERO });
    expect(permit.price.toNumber()).toBe(0);
  });
});

type Wallets = Pick<TicketVm, 'owner' | 'buyer' | 'stranger' | 'admin' | 'authority' | 'marketplace'>;

const EVENTS: [string, () => Promise<TicketVm>, (vm: TicketVm) => Promise<Outcome>, (vm: Wallets) => object][] = [
  [
    'permitIssued',
    startWithEvent,
    (vm) => vm.issue(),
    ({ owner }) => ({ permit: PERMIT, event: EVENT, owner: owner.publicKey }),
  ],
  [
    'listingCreated',
    startWithPermit,
    (vm) => vm.list(),
    ({ owner, marketplace }) => ({
      permit: PERMIT,
      owner: owner.publicKey,
      marketplace: marketplace.publicKey,
      price: PRICE,
    }),
  ],
  [
    'listingCancelled',
    startWithListing,
    (vm) => vm.cancel(),
    ({ owner }) => ({ permit: PERMIT, owner: owner.publicKey }),
  ],
  [
    'permitTransferred',
    startWithPermit,
    (vm) => vm.transfer(vm.owner, vm.buyer.publicKey),
    ({ owner, buyer }) => ({ permit: PERMIT, from: owner.publicKey, to: buyer.publicKey, price: 0n }),
  ],
  [
    'permitTransferred',
    startWithListing,
    (vm) => vm.transfer(vm.marketplace, vm.buyer.publicKey),
    ({ owner, buyer }) => ({ permit: PERMIT, from: owner.publicKey, to: buyer.publicKey, price: PRICE }),
  ],
  [
    'adminRotated',
    startWithPermit,
    (vm) => vm.rotateAdmin(vm.stranger),
    ({ admin, stranger }) => ({ from: admin.publicKey, to: stranger.publicKey }),
  ],
  [
    'authorityRotated',
    startWithPermit,
    (vm) => vm.rotate(vm.stranger),
    ({ authority, stranger }) => ({ from: authority.publicKey, to: stranger.publicKey }),
  ],
];

test.each(EVENTS)('the event %s has the keys and the price', async (name, start, act, expected) => {
  const vm = await start();
  const { events } = await act(vm);
  const { price, ...keys } = events[0]?.data ?? {};
  const data = price === undefined ? keys : { ...keys, price: BigInt(String(price)) };
  expect([events.length, events[0]?.name, data]).toEqual([1, name, expected(vm)]);
});
