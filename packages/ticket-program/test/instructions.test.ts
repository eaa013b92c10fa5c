import { Keypair, PublicKey } from '@solana/web3.js';
import { Rent } from 'litesvm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT_VERSION, type AccountName, PERMIT_STATES } from '../src/describe-program.ts';
import { LOADER, programDataOf } from './loader.ts';
import {
  accountSize,
  CLOSABLE_FROM,
  CONFIG,
  derive,
  EVENT,
  EVENT_ID,
  FIRST_LISTING,
  type Outcome,
  PERMIT,
  PROGRAM_DATA,
  PROGRAM_ID,
  type Start,
  startClosable,
  startClosed,
  startRotated,
  startTicketVm,
  startWithEvent,
  startWithListing,
  startWithPermit,
  TICKET_ID,
  type TicketVm,
  type Wallet,
  ZERO,
} from './ticket-vm.ts';

const rentOf = (name: AccountName) => startTicketVm().svm.minimumBalanceForRentExemption(BigInt(accountSize(name)));
const RENT_OF_EVENT = rentOf('Event');
const RENT_OF_MARK = rentOf('ClosedEvent');
const RENT_OF_PERMIT = rentOf('Permit');

test('initialize_v1: the upgrade authority creates the configuration and becomes the admin', async () => {
  const vm = startTicketVm();
  expect((await vm.initialize()).error).toBeUndefined();
  const account = vm.account(CONFIG);
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.data.length).toBe(accountSize('Config'));
  expect(account?.lamports).toBe(vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Config'))));
  expect(vm.decode('config', CONFIG)).toEqual({
    version: ACCOUNT_VERSION,
    authority: vm.authority.publicKey,
    formerAuthority: ZERO,
    admin: vm.admin.publicKey,
    payer: vm.payer.publicKey,
    bump: expect.any(Number),
  });
});

test('register_event_v1: creates the account of the event, which the payer pays', async () => {
  const vm = startTicketVm();
  await vm.initialize();
  const before = vm.balance(vm.payer.publicKey);
  expect((await vm.register()).error).toBeUndefined();
  const account = vm.account(EVENT);
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.lamports).toBe(RENT_OF_EVENT);
  expect(vm.balance(vm.payer.publicKey)).toBe(before - RENT_OF_EVENT);
  const event = vm.decode('event', EVENT);
  expect(Uint8Array.from(event.eventId)).toEqual(EVENT_ID);
  expect(event).toMatchObject({ organiser: vm.organiser.publicKey, closableFrom: CLOSABLE_FROM });
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
    expect(vm.account(PERMIT)).toMatchObject({ programAddress: PROGRAM_ID.toBase58(), lamports: RENT_OF_PERMIT });
    const permit = vm.decode('permit', PERMIT);
    expect(Uint8Array.from(permit.ticketId)).toEqual(TICKET_ID);
    const owner = vm.owner.publicKey;
    expect(permit).toMatchObject({ event: EVENT, owner, state: PERMIT_STATES.held, marketplace: ZERO });
    expect(permit.price).toBe(0n);
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
    vm.fund(PERMIT, RENT_OF_PERMIT + more);
    expect((await vm.issue()).error).toBeUndefined();
    expect(vm.account(PERMIT)).toMatchObject({
      lamports: RENT_OF_PERMIT + left,
      programAddress: PROGRAM_ID.toBase58(),
    });
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
  test('a listing stores price, marketplace and number; a cancellation clears all but the number', async () => {
    const vm = await startWithPermit();
    const held = vm.decode('permit', PERMIT);
    expect((await vm.list()).error).toBeUndefined();
    const listing = { ...FIRST_LISTING, marketplace: vm.marketplace.publicKey };
    expect(vm.decode('permit', PERMIT)).toEqual({ ...held, state: PERMIT_STATES.listed, ...listing });
    expect((await vm.cancel()).error).toBeUndefined();
    expect(vm.decode('permit', PERMIT)).toEqual({ ...held, listing: 1n });
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, FIRST_LISTING)).error).toBe('WrongOwner');
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
  });

  test('the listings of a permit are counted for good; a refused one is not, and each returns its number', async () => {
    const vm = await startWithPermit();
    const number = ({ error, returned }: Outcome) => (error ? error : Buffer.from(returned).readBigUInt64LE());
    const sellNumber = (listing: bigint) =>
      vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, { ...FIRST_LISTING, listing });
    const listedByBuyer = () => vm.list({ owner: vm.buyer.publicKey }, [vm.buyer, vm.authority]);
    expect(number(await vm.list())).toBe(1n);
    expect(number(await vm.list())).toBe('WrongState');
    await vm.cancel();
    expect(number(await vm.list({}, undefined, 0n))).toBe('BadPrice');
    expect(number(await vm.list())).toBe(2n);
    expect((await sellNumber(1n)).error).toBe('WrongListing');
    expect((await sellNumber(2n)).error).toBeUndefined();
    expect(number(await listedByBuyer())).toBe(3n);
    await vm.cancel({ owner: vm.buyer.publicKey }, [vm.buyer, vm.authority]);
    expect((await vm.transfer(vm.buyer, vm.owner.publicKey)).error).toBeUndefined();
    expect(number(await vm.list())).toBe(4n);
    expect(vm.decode('permit', PERMIT).listing).toEqual(4n);
  });

  test('a permit whose count of listings is full is listed no more', async () => {
    const vm = await startWithPermit();
    const data = Buffer.from(vm.account(PERMIT)?.data ?? []);
    data.writeBigUInt64LE(2n ** 64n - 1n, data.length - 9);
    vm.forge(PERMIT, data, PROGRAM_ID);
    expect((await vm.list()).error).toBe('ArithmeticOverflow');
    expect(vm.decode('permit', PERMIT)).toMatchObject({ state: PERMIT_STATES.held, listing: 2n ** 64n - 1n });
  });

  test('the price may be the highest u64', async () => {
    const vm = await startWithPermit();
    const highest = 2n ** 64n - 1n;
    expect((await vm.list({}, undefined, highest)).error).toBeUndefined();
    expect(vm.decode('permit', PERMIT).price).toBe(highest);
  });
});

test('one wallet may have several roles: an account in two places is handled like two accounts', async () => {
  const vm = await startWithEvent();
  const { authority, payer } = vm;
  const all = { authority: authority.publicKey, payer: authority.publicKey };
  vm.fund(authority.publicKey);
  expect((await vm.issue(all, [authority], TICKET_ID, authority.publicKey)).error).toBeUndefined();
  const seller = { owner: authority.publicKey, marketplace: authority.publicKey };
  expect((await vm.list(seller, [authority])).error).toBeUndefined();
  expect((await vm.transfer(authority, payer.publicKey, {}, FIRST_LISTING)).error).toBeUndefined();
  expect((await vm.rotateAdmin(authority)).error).toBeUndefined();
  const same = await vm.rotate(vm.stranger, { admin: authority.publicKey }, [authority, vm.stranger]);
  expect(same.error).toBeUndefined();
  const { stranger } = vm;
  const paid = await vm.rotatePayer(stranger, { admin: authority.publicKey }, [authority, stranger]);
  expect(paid.error).toBeUndefined();
  vm.setTime(CLOSABLE_FROM);
  const closer = { authority: stranger.publicKey, receiver: stranger.publicKey };
  for (const step of [vm.closeEvent, vm.closePermit]) expect((await step(closer, [stranger])).error).toBeUndefined();
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
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, FIRST_LISTING)).error).toBeUndefined();
    const permit = vm.decode('permit', PERMIT);
    expect(permit).toMatchObject({ owner: vm.buyer.publicKey, state: PERMIT_STATES.held, marketplace: ZERO });
    expect(permit.price).toBe(0n);
  });
});

/** The fields of each instruction's event; a name is the address of that wallet. */
const EVENTS: [string, Start, (vm: TicketVm) => Promise<Outcome>, Record<string, PublicKey | bigint | Wallet>][] = [
  ['permitIssued', startWithEvent, (vm) => vm.issue(), { permit: PERMIT, event: EVENT, owner: 'owner' }],
  [
    'listingCreated',
    startWithPermit,
    (vm) => vm.list(),
    { permit: PERMIT, owner: 'owner', marketplace: 'marketplace', ...FIRST_LISTING },
  ],
  ['listingCancelled', startWithListing, (vm) => vm.cancel(), { permit: PERMIT, owner: 'owner', listing: 1n }],
  [
    'permitTransferred',
    startWithPermit,
    (vm) => vm.transfer(vm.owner, vm.buyer.publicKey),
    { permit: PERMIT, from: 'owner', to: 'buyer', price: 0n, listing: 0n },
  ],
  [
    'permitTransferred',
    startWithListing,
    (vm) => vm.transfer(vm.marketplace, vm.buyer.publicKey, {}, FIRST_LISTING),
    { permit: PERMIT, from: 'owner', to: 'buyer', ...FIRST_LISTING },
  ],
  ['eventClosed', startClosable, (vm) => vm.closeEvent(), { event: EVENT, lamports: RENT_OF_EVENT - RENT_OF_MARK }],
  ['permitClosed', startClosed, (vm) => vm.closePermit(), { permit: PERMIT, owner: 'owner', lamports: RENT_OF_PERMIT }],
  ['adminRotated', startWithPermit, (vm) => vm.rotateAdmin(vm.stranger), { from: 'admin', to: 'stranger' }],
  ['payerRotated', startWithPermit, (vm) => vm.rotatePayer(vm.stranger), { from: 'payer', to: 'stranger' }],
  ['authorityRotated', startWithPermit, (vm) => vm.rotate(vm.stranger), { from: 'authority', to: 'stranger' }],
  ['authorityRetired', startRotated, (vm) => vm.retire(vm.authority.publicKey), { authority: 'authority' }],
];

test.each(EVENTS)('the event %s has the keys and numbers', async (name, start, act, expected) => {
  const vm = await start();
  const { events } = await act(vm);
  const data = Object.entries(events[0]?.data ?? {}).map(([key, value]) => [
    key,
    value instanceof PublicKey ? value : BigInt(String(value)),
  ]);
  const named = Object.entries(expected).map(([key, of]) => [key, typeof of === 'string' ? vm[of].publicKey : of]);
  expect([events.length, events[0]?.name, Object.fromEntries(data)]).toEqual([1, name, Object.fromEntries(named)]);
});

describe('initialize_v1: the upgrade authority is read from the ProgramData account of this program', () => {
  let vm: TicketVm;
  beforeEach(() => {
    vm = startTicketVm();
  });

  /** The stranger calls, and the forged account names the stranger. */
  const attempt = (programData: PublicKey = PROGRAM_DATA) =>
    vm.initialize({ admin: vm.stranger.publicKey, programData }, [vm.stranger, vm.authority, vm.payer]);

  async function expectRefusal(error: string, programData?: PublicKey): Promise<void> {
    expect((await attempt(programData)).error).toBe(error);
    expect(vm.account(CONFIG)).toBeUndefined();
  }

  test.each<[string, () => PublicKey, PublicKey]>([
    ['an account of the loader at another address', () => Keypair.generate().publicKey, LOADER],
    ['the ProgramData account of another program', () => programDataOf(Keypair.generate().publicKey), LOADER],
    ['an address that the ticket program derives itself', () => derive(PROGRAM_ID.toBytes()), PROGRAM_ID],
    ['an address of the same seeds with another bump', withLowerBump, LOADER],
  ])('%s is refused', async (_, addressOf, owner) => {
    const fake = addressOf();
    vm.forge(fake, vm.programData(vm.stranger.publicKey), owner);
    await expectRefusal('BadPda', fake);
  });

  test('the right address, owned by another program than the loader, is refused', async () => {
    for (const owner of [PROGRAM_ID, ZERO, Keypair.generate().publicKey]) {
      vm.forge(PROGRAM_DATA, vm.programData(vm.stranger.publicKey), owner);
      await expectRefusal('BadAccount');
    }
  });

  const ends = (length: number) => (data: Buffer) => data.subarray(0, length);
  const state = (number: number) => (data: Buffer) => data.fill(number, 0, 1);
  const flag = (value: number) => (data: Buffer) => data.fill(value, 12, 13);
  const otherKey = (at: number) => (data: Buffer) => data.fill((data[at] ?? 0) ^ 1, at, at + 1);

  test.each([
    ['ends before the end of its authority', 'BadAccount', [0, 4, 12, 13, 44].map(ends)],
    ['is in another state of the loader', 'BadAccount', [0, 1, 2, 4].map(state)],
    ['is immutable, though the loader leaves the bytes of its key', 'WrongAuthority', [0, 2, 255].map(flag)],
    ['has another key, down to its last byte', 'WrongAuthority', [13, 20, 28, 36, 44].map(otherKey)],
  ])('an account that %s is refused: %s', async (_, error, changes) => {
    for (const change of changes) {
      vm.forge(PROGRAM_DATA, change(Buffer.from(vm.programData(vm.stranger.publicKey))), LOADER);
      await expectRefusal(error);
    }
  });
});

/** The address of the ProgramData account's seeds with the next lower bump that leads off the curve. */
function withLowerBump(): PublicKey {
  const [, bump] = PublicKey.findProgramAddressSync([PROGRAM_ID.toBytes()], LOADER);
  for (let lower = bump - 1; ; lower--) {
    try {
      return PublicKey.createProgramAddressSync([PROGRAM_ID.toBytes(), Uint8Array.of(lower)], LOADER);
    } catch {} // on the curve
  }
}

describe('rotation of authority, admin and payer', () => {
  let vm: TicketVm;
  beforeEach(async () => {
    vm = await startWithPermit();
  });

  /** Lists, cancels, registers and issues under an authority; the errors in this order. */
  async function errorsUnder(authority: Keypair): Promise<(string | undefined)[]> {
    const over = { authority: authority.publicKey };
    const listed = await vm.list(over, [vm.owner, authority]);
    const cancelled = await vm.cancel(over, [vm.owner, authority]);
    const registered = await vm.register(over, [authority, vm.payer], freshId());
    const issued = await vm.issue(over, [authority, vm.payer], freshId());
    return [listed, cancelled, registered, issued].map(({ error }) => error);
  }

  const freshId = () => Uint8Array.from(Keypair.generate().publicKey.toBytes());
  const ALL = [undefined, undefined, undefined, undefined];
  const LISTINGS_ONLY = [undefined, undefined, 'WrongAuthority', 'WrongAuthority'];

  test('rotate_authority_v1: the new authority does everything, the one before lists and cancels, and nothing else', async () => {
    const before = vm.decode('config', CONFIG);
    expect((await vm.rotate(vm.stranger)).error).toBeUndefined();
    const authorities = { authority: vm.stranger.publicKey, formerAuthority: vm.authority.publicKey };
    expect(vm.decode('config', CONFIG)).toEqual({ ...before, ...authorities });
    expect(await errorsUnder(vm.stranger)).toEqual(ALL);
    expect(await errorsUnder(vm.authority)).toEqual(LISTINGS_ONLY);
  });

  test('rotate_authority_v1: the next rotation ends the rights of the one before the last', async () => {
    await vm.rotate(vm.stranger);
    await vm.rotate(vm.buyer);
    expect((await vm.list()).error).toBe('WrongAuthority');
    expect(await errorsUnder(vm.stranger)).toEqual(LISTINGS_ONLY);
    expect(await errorsUnder(vm.buyer)).toEqual(ALL);
  });

  test('without a rotation nobody is the former authority, not even the zero address', async () => {
    expect(vm.decode('config', CONFIG).formerAuthority).toEqual(ZERO);
    expect((await vm.list({ authority: vm.stranger.publicKey }, [vm.owner, vm.stranger])).error).toBe('WrongAuthority');
  });

  describe('retire_authority_v1', () => {
    beforeEach(async () => {
      await vm.rotate(vm.stranger);
    });

    test('the authority before lists and cancels no longer, the present one goes on', async () => {
      const before = vm.decode('config', CONFIG);
      expect((await vm.retire(vm.authority.publicKey)).error).toBeUndefined();
      expect(vm.decode('config', CONFIG)).toEqual({ ...before, formerAuthority: ZERO });
      expect((await vm.list()).error).toBe('WrongAuthority');
      expect(await errorsUnder(vm.stranger)).toEqual(ALL);
    });

    test('it is retired once', async () => {
      await vm.retire(vm.authority.publicKey);
      for (const other of [vm.authority.publicKey, ZERO]) expect((await vm.retire(other)).error).toBe('WrongAuthority');
    });
  });

  test('rotate_payer_v1: changes the payer alone; anybody goes on to pay for accounts', async () => {
    const before = vm.decode('config', CONFIG);
    expect((await vm.rotatePayer(vm.stranger)).error).toBeUndefined();
    expect(vm.decode('config', CONFIG)).toEqual({ ...before, payer: vm.stranger.publicKey });
    expect(await errorsUnder(vm.authority)).toEqual(ALL);
  });

  test('rotate_admin_v1: the new admin rotates from then on, the old one no longer, and listings go on', async () => {
    const before = vm.decode('config', CONFIG);
    expect((await vm.rotateAdmin(vm.stranger)).error).toBeUndefined();
    expect(vm.decode('config', CONFIG)).toEqual({ ...before, admin: vm.stranger.publicKey });
    expect((await vm.list()).error).toBeUndefined();
    expect((await vm.rotate(vm.buyer)).error).toBe('WrongAuthority');
    expect((await vm.rotateAdmin(vm.buyer)).error).toBe('WrongAuthority');
    expect((await vm.rotatePayer(vm.buyer)).error).toBe('WrongAuthority');
    const rotated = await vm.rotate(vm.buyer, { admin: vm.stranger.publicKey }, [vm.stranger, vm.buyer]);
    expect(rotated.error).toBeUndefined();
  });
});
