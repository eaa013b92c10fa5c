import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { INSTRUCTIONS, type Instruction } from '../src/describe-program.ts';
import {
  type Accounts,
  after,
  CONFIG,
  derive,
  EVENT,
  OTHER_EVENT,
  OTHER_ID,
  type Outcome,
  PERMIT,
  PRICE,
  PROGRAM_ID,
  type Refusals,
  type Start,
  setMeta,
  startClosable,
  startClosed,
  startInitialised,
  startRotated,
  startTicketVm,
  startWithEvent,
  startWithListing,
  startWithPermit,
  TICKET_ID,
  type TicketVm,
  testRefusals,
  type Wallet,
  ZERO,
} from './ticket-vm.ts';

const OTHER_PERMIT = derive('permit', EVENT.toBytes(), OTHER_ID);

const startCancelled = after(startWithListing, (vm) => vm.cancel());
const startListedAgain = after(startCancelled, (vm) => vm.list());
const startGivenAway = after(startWithPermit, (vm) => moveBy(vm, 'owner'));
const startSold = after(startWithListing, (vm) => sell(vm));

/** By error: the instruction with what is wrong, the chain before it, and the hostile call. */
const REFUSED: Refusals = {
  WrongAuthority: [
    ['initialize: a stranger is no upgrade authority', startTicketVm, (vm) => initializeAs(vm, 'stranger')],
    ['register: a stranger for the authority', startInitialised, (vm) => vm.register(...as(vm, 'stranger', 'payer'))],
    ['issue: a stranger for the authority', startWithEvent, (vm) => vm.issue(...as(vm, 'stranger', 'payer'))],
    ['list: a stranger for the authority', startWithPermit, (vm) => vm.list(...as(vm, 'stranger', 'owner'))],
    ['cancel: a stranger for the authority', startWithListing, (vm) => vm.cancel(...as(vm, 'stranger', 'owner'))],
    ['rotate authority: a stranger for the admin', startWithPermit, (vm) => rotateBy(vm, 'stranger')],
    ['rotate authority: the authority for the admin', startWithPermit, (vm) => rotateBy(vm, 'authority')],
    ['rotate admin: a stranger for the admin', startWithPermit, (vm) => rotateBy(vm, 'stranger', 'rotateAdmin')],
    ['rotate admin: the authority for the admin', startWithPermit, (vm) => rotateBy(vm, 'authority', 'rotateAdmin')],
    ['rotate admin: a new upgrade authority is no admin', startWithPermit, upgradeAuthorityRotates],
    ['rotate payer: a stranger for the admin', startWithPermit, (vm) => rotateBy(vm, 'stranger', 'rotatePayer')],
    ['rotate payer: the authority for the admin', startWithPermit, (vm) => rotateBy(vm, 'authority', 'rotatePayer')],
    ['rotate payer: the present payer for the admin', startWithPermit, (vm) => rotateBy(vm, 'payer', 'rotatePayer')],
    ['retire: a stranger for the admin', startRotated, (vm) => retireBy(vm, 'stranger')],
    ['retire: the former authority for the admin', startRotated, (vm) => retireBy(vm, 'authority')],
    ['retire: the present authority', startRotated, (vm) => vm.retire(vm.stranger.publicKey)],
    ['retire: nobody', startRotated, (vm) => vm.retire(ZERO)],
    ['transfer of a listed permit: its owner', startWithListing, (vm) => vm.transfer(vm.owner, vm.buyer.publicKey)],
    ['transfer of a listed permit: the authority', startWithListing, (vm) => moveBy(vm, 'authority')],
    ['transfer of a listed permit: the admin', startWithListing, (vm) => moveBy(vm, 'admin')],
    ['transfer of a listed permit: a stranger', startWithListing, (vm) => moveBy(vm, 'stranger')],
  ],
  WrongOwner: [
    ['list: a stranger for the owner', startWithPermit, (vm) => listBy(vm, 'stranger')],
    ['cancel: a stranger for the owner', startWithListing, (vm) => cancelBy(vm, 'stranger')],
    ['cancel: the marketplace for the owner', startWithListing, (vm) => cancelBy(vm, 'marketplace')],
    ['transfer of a held permit: a stranger', startWithPermit, (vm) => moveBy(vm, 'stranger')],
    ['transfer of a held permit: the authority', startWithPermit, (vm) => moveBy(vm, 'authority')],
    ['transfer of a held permit: the admin', startWithPermit, (vm) => moveBy(vm, 'admin')],
    ['transfer of a held permit: a marketplace', startWithPermit, (vm) => moveBy(vm, 'marketplace')],
    ['transfer: who gave it away', startGivenAway, (vm) => vm.transfer(vm.owner, vm.stranger.publicKey)],
    ['transfer: the marketplace, a second time', startSold, (vm) => vm.transfer(vm.marketplace, vm.stranger.publicKey)],
  ],
  WrongListing: [
    ['transfer of a listed permit: as if it were held', startWithListing, (vm) => sell(vm, undefined, 0n, 0n)],
    ['transfer of a listed permit: the next number', startWithListing, (vm) => sell(vm, undefined, 2n)],
    ['transfer of a permit listed again: the number before', startListedAgain, (vm) => sell(vm)],
    ['transfer of a held permit: the number of a listing', startWithPermit, (vm) => give(vm, 1n, 0n)],
    ['transfer of a held permit: the number of its last listing', startCancelled, (vm) => give(vm, 1n, 0n)],
    ['transfer of a held permit: number and price of its last listing', startCancelled, (vm) => give(vm, 1n, PRICE)],
  ],
  WrongPrice: [
    ['transfer of a listed permit: a lamport less', startWithListing, (vm) => sell(vm, undefined, 1n, PRICE - 1n)],
    ['transfer of a listed permit: a lamport more', startWithListing, (vm) => sell(vm, undefined, 1n, PRICE + 1n)],
    ['transfer of a listed permit: for nothing', startWithListing, (vm) => sell(vm, undefined, 1n, 0n)],
    ['transfer of a held permit: a price', startWithPermit, (vm) => give(vm, 0n, 1n)],
  ],
  SameKey: [
    ['rotate authority: to the present one', startWithPermit, (vm) => vm.rotate(vm.authority)],
    ['rotate admin: to the present one', startWithPermit, (vm) => vm.rotateAdmin(vm.admin)],
    ['rotate payer: to the present one', startWithPermit, (vm) => vm.rotatePayer(vm.payer)],
  ],
  WrongState: [
    ['cancel: a held permit', startWithPermit, (vm) => vm.cancel()],
    ['list: a listed permit, at another price', startWithListing, (vm) => vm.list({}, undefined, 1n)],
  ],
  AlreadyExists: [
    [
      'initialize: a second time',
      startInitialised,
      (vm) => vm.initialize({ authority: vm.buyer.publicKey }, [vm.admin, vm.buyer, vm.payer]),
    ],
    ['register: the same event', startWithEvent, (vm) => vm.register({ organiser: vm.stranger.publicKey })],
    ['issue: the same ticket', startWithPermit, (vm) => vm.issue({}, undefined, TICKET_ID, vm.stranger.publicKey)],
    ['issue: where another program made an account', startWithEvent, (vm) => issueOver(vm, 0, vm.stranger.publicKey)],
    ['issue: where data lies already', startWithEvent, (vm) => issueOver(vm, 8, ZERO)],
  ],
  BadPda: [
    ['initialize: a configuration elsewhere', startTicketVm, (vm) => vm.initialize({ config: vm.stranger.publicKey })],
    ['register: the address of another event', startInitialised, (vm) => vm.register({ event: OTHER_EVENT })],
    ['issue: the address of another ticket', startWithEvent, (vm) => vm.issue({ permit: OTHER_PERMIT })],
  ],
  BadAccount: [
    ['register: before initialize', startTicketVm, (vm) => vm.register()],
    ['issue: an event that is not registered', startWithEvent, (vm) => vm.issue({ event: OTHER_EVENT })],
    ['issue: the configuration as event', startWithEvent, (vm) => vm.issue({ event: CONFIG })],
    ['issue: a permit as event', startWithPermit, (vm) => vm.issue({ event: PERMIT, permit: vm.stranger.publicKey })],
    ['list: an event as permit', startWithPermit, (vm) => vm.list({ permit: EVENT })],
    ['list: the configuration as permit', startWithPermit, (vm) => vm.list({ permit: CONFIG })],
    ['list: an event as configuration', startWithPermit, (vm) => vm.list({ config: EVENT })],
    ['initialize: no System program', startTicketVm, (vm) => vm.initialize({ systemProgram: vm.stranger.publicKey })],
    ['register: no System program', startInitialised, (vm) => vm.register({ systemProgram: vm.stranger.publicKey })],
    ['issue: no System program', startWithEvent, (vm) => vm.issue({ systemProgram: vm.stranger.publicKey })],
  ],
  BadPrice: [['list: for nothing', startWithPermit, (vm) => vm.list({}, undefined, 0n)]],
  BadMarketplace: [
    ['list: with zero', startWithPermit, (vm) => vm.list({ marketplace: ZERO })],
    ['list: with the permit itself', startWithPermit, (vm) => vm.list({ marketplace: PERMIT })],
  ],
  BadDestination: [
    ['issue: to zero', startWithEvent, (vm) => vm.issue({}, undefined, TICKET_ID, ZERO)],
    ['issue: to the permit itself', startWithEvent, (vm) => vm.issue({}, undefined, TICKET_ID, PERMIT)],
    ['transfer of a held permit: to its owner', startWithPermit, (vm) => vm.transfer(vm.owner, vm.owner.publicKey)],
    ['transfer of a held permit: to zero', startWithPermit, (vm) => vm.transfer(vm.owner, ZERO)],
    ['transfer of a held permit: to itself', startWithPermit, (vm) => vm.transfer(vm.owner, PERMIT)],
    ['transfer of a listed permit: to its owner', startWithListing, (vm) => sell(vm, vm.owner.publicKey)],
    ['transfer of a listed permit: to zero', startWithListing, (vm) => sell(vm, ZERO)],
    ['transfer of a listed permit: to itself', startWithListing, (vm) => sell(vm, PERMIT)],
  ],
};

testRefusals(REFUSED);

/** One wallet in the place of the authority, and another that signs with it. */
function as(vm: TicketVm, authority: Wallet, beside: Wallet): [Accounts, Keypair[]] {
  return [{ authority: vm[authority].publicKey }, [vm[authority], vm[beside]]];
}

function initializeAs(vm: TicketVm, admin: Wallet): Promise<Outcome> {
  return vm.initialize({ admin: vm[admin].publicKey }, [vm[admin], vm.authority, vm.payer]);
}

type Rotation = 'rotate' | 'rotateAdmin' | 'rotatePayer';

function rotateBy(vm: TicketVm, admin: Wallet, rotation: Rotation = 'rotate'): Promise<Outcome> {
  return vm[rotation](vm.buyer, { admin: vm[admin].publicKey }, [vm[admin], vm.buyer]);
}

function upgradeAuthorityRotates(vm: TicketVm): Promise<Outcome> {
  vm.forgeProgramData(vm.stranger.publicKey);
  return rotateBy(vm, 'stranger', 'rotateAdmin');
}

function retireBy(vm: TicketVm, admin: Wallet): Promise<Outcome> {
  return vm.retire(vm.authority.publicKey, { admin: vm[admin].publicKey }, [vm[admin]]);
}

function listBy(vm: TicketVm, owner: Wallet): Promise<Outcome> {
  return vm.list({ owner: vm[owner].publicKey }, [vm[owner], vm.authority]);
}

function cancelBy(vm: TicketVm, owner: Wallet): Promise<Outcome> {
  return vm.cancel({ owner: vm[owner].publicKey }, [vm[owner], vm.authority]);
}

function moveBy(vm: TicketVm, wallet: Wallet, over: Accounts = {}): Promise<Outcome> {
  return vm.transfer(vm[wallet], vm.buyer.publicKey, over);
}

/** By the marketplace of the listing. */
function sell(vm: TicketVm, to = vm.buyer.publicKey, listing = 1n, price = PRICE): Promise<Outcome> {
  return vm.transfer(vm.marketplace, to, {}, { listing, price });
}

/** By the owner. */
function give(vm: TicketVm, listing: bigint, price: bigint): Promise<Outcome> {
  return vm.transfer(vm.owner, vm.buyer.publicKey, {}, { listing, price });
}

function issueOver(vm: TicketVm, bytes: number, program: TicketVm['owner']['publicKey']): Promise<Outcome> {
  vm.forge(PERMIT, new Uint8Array(bytes), program);
  return vm.issue();
}

type Forgery = (data: Uint8Array, address: PublicKey, vm: TicketVm) => [PublicKey, Uint8Array, PublicKey] | undefined;

const elsewhere = () => Keypair.generate().publicKey;

function flipped(data: Uint8Array, at: number, by: number): Uint8Array {
  return data.map((byte, index) => (index === at ? byte + by : byte));
}

/** What lies where: the address that is named, its bytes and its owner. */
const FORGERIES: [string, string, Forgery][] = [
  [
    'the same bytes, owned by another program',
    'BadAccount',
    (data, _, vm) => [elsewhere(), data, vm.stranger.publicKey],
  ],
  ['the same bytes, owned by the program, at another address', 'BadPda', (data) => [elsewhere(), data, PROGRAM_ID]],
  ['another discriminator', 'BadAccount', (data, address) => [address, flipped(data, 0, 1), PROGRAM_ID]],
  ['a byte more', 'WrongSize', (data, address) => [address, new Uint8Array([...data, 0]), PROGRAM_ID]],
  ['a byte less', 'WrongSize', (data, address) => [address, data.slice(0, -1), PROGRAM_ID]],
  ['a discriminator and nothing else', 'WrongSize', (data, address) => [address, data.slice(0, 8), PROGRAM_ID]],
  ['a discriminator that ends early', 'BadAccount', (data, address) => [address, data.slice(0, 7), PROGRAM_ID]],
  ['the version before', 'WrongVersion', (data, address) => [address, flipped(data, 8, -1), PROGRAM_ID]],
  ['the version after', 'WrongVersion', (data, address) => [address, flipped(data, 8, 1), PROGRAM_ID]],
  [
    'a bump that leads elsewhere',
    'BadPda',
    (data, address) => [address, flipped(data, data.length - 1, -1), PROGRAM_ID],
  ],
  ['no account at all', 'BadAccount', () => undefined],
];

/** Another ticket and event than the ones that exist. */
const NEW_ID = new Uint8Array(32).fill(77);

/** For each instruction a VM in which it works, and the call. */
const STORIES: Record<string, [Start, (vm: TicketVm) => Promise<Outcome>]> = {
  initialize_v1: [startTicketVm, (vm) => vm.initialize()],
  rotate_authority_v1: [startWithPermit, (vm) => vm.rotate(vm.stranger)],
  retire_authority_v1: [startRotated, (vm) => vm.retire(vm.authority.publicKey)],
  rotate_admin_v1: [startWithPermit, (vm) => vm.rotateAdmin(vm.stranger)],
  rotate_payer_v1: [startWithPermit, (vm) => vm.rotatePayer(vm.stranger)],
  register_event_v1: [startWithPermit, (vm) => vm.register({}, undefined, NEW_ID)],
  issue_permit_v1: [startWithPermit, (vm) => vm.issue({}, undefined, NEW_ID)],
  create_listing_v1: [startWithPermit, (vm) => vm.list()],
  cancel_listing_v1: [startWithListing, (vm) => vm.cancel()],
  transfer_permit_v1: [startWithPermit, (vm) => vm.transfer(vm.owner, vm.buyer.publicKey)],
  'transfer_permit_v1 of a listed permit': [startWithListing, (vm) => sell(vm)],
  close_event_v1: [startClosable, (vm) => vm.closeEvent()],
  close_permit_v1: [startClosed, (vm) => vm.closePermit()],
};

/** @returns the error of an instruction that `change` has changed */
async function errorOf(name: string, change: (instruction: TransactionInstruction, vm: TicketVm) => void = () => {}) {
  const [start, call] = STORIES[name] ?? [];
  if (!start || !call) throw new Error(`no story for ${name}`);
  const vm = await start();
  vm.twistWith((instruction) => change(instruction, vm));
  return (await call(vm)).error;
}

/** Each instruction that reads an account of the program, by the address of that account. */
const READERS: [instruction: string, account: string, address: PublicKey][] = [
  ...Object.keys(STORIES)
    .filter((name) => name !== 'initialize_v1')
    .map((name): [string, string, PublicKey] => [name, 'config', CONFIG]),
  ['issue_permit_v1', 'event', EVENT],
  ['close_event_v1', 'event', EVENT],
  ['create_listing_v1', 'permit', PERMIT],
  ['cancel_listing_v1', 'permit', PERMIT],
  ['transfer_permit_v1', 'permit', PERMIT],
  ['transfer_permit_v1 of a listed permit', 'permit', PERMIT],
  ['close_permit_v1', 'permit', PERMIT],
];

describe.each(READERS)('%s: a look-alike of the %s is refused', (name, account, address) => {
  const slots = INSTRUCTIONS.find((instruction) => name.startsWith(instruction.name))?.accounts ?? [];
  const slot = slots.findIndex((each) => each.name === account);

  test.each(FORGERIES)('%s: %s', async (_, error, forgery) => {
    const told = await errorOf(name, (instruction, vm) => {
      const forged = forgery(new Uint8Array(vm.account(address)?.data ?? []), address, vm);
      if (forged) vm.forge(...forged);
      setMeta(instruction, slot, { pubkey: forged?.[0] ?? elsewhere() });
    });
    expect(told).toBe(error);
  });
});

function slotsWith(flag: 'signer' | 'writable') {
  return INSTRUCTIONS.flatMap(({ name, accounts }: Instruction) =>
    accounts.flatMap((account, index) => (account[flag] ? [{ name, account: account.name, index }] : [])),
  );
}

test.each(slotsWith('signer'))('$name: refused unless $account signs', async ({ name, index }) => {
  expect(await errorOf(name, (changed) => setMeta(changed, index, { isSigner: false }))).toBe('MissingSignature');
});

test.each(slotsWith('writable'))('$name: refused unless $account is writable', async ({ name, index }) => {
  expect(await errorOf(name, (changed) => setMeta(changed, index, { isWritable: false }))).toBe('NotWritable');
});

function withData(make: (data: Buffer) => Buffer) {
  return (instruction: TransactionInstruction) => {
    instruction.data = make(instruction.data);
  };
}

function withFurtherAccounts(instruction: TransactionInstruction, vm: TicketVm): void {
  const strangers = Array.from({ length: 5 }, () => Keypair.generate().publicKey);
  const further = [vm.stranger.publicKey, ...strangers, vm.stranger.publicKey, ...strangers];
  instruction.keys.push(...further.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })));
}

describe.each(INSTRUCTIONS.map(({ name }) => name))('%s', (name) => {
  test.each([
    ['works as the IDL says', undefined, undefined],
    ['passes over further accounts, repeated ones too', withFurtherAccounts, undefined],
    ['is refused with a byte more', withData((data) => Buffer.concat([data, Buffer.alloc(1)])), 'BadInstruction'],
    ['is refused with a byte less', withData((data) => data.subarray(0, -1)), 'BadInstruction'],
    [
      'is refused with an account less',
      (changed: TransactionInstruction) => changed.keys.pop(),
      'NotEnoughAccountKeys',
    ],
  ])('%s', async (_, change, error) => {
    expect(await errorOf(name, change)).toBe(error);
  });
});

test.each([
  ['no data', Buffer.alloc(0)],
  ['less than a discriminator', Buffer.alloc(7)],
  ['an unknown discriminator', Buffer.alloc(8, 1)],
])('BadInstruction for %s', async (_, data) => {
  expect(
    await errorOf(
      'transfer_permit_v1',
      withData(() => data),
    ),
  ).toBe('BadInstruction');
});
