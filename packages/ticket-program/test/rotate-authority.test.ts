import { Keypair } from '@solana/web3.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountSize, CONFIG, PROGRAM_ID, startWithPermit, type TicketVm, ZERO } from './ticket-vm.ts';

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
  expect((await vm.rotate(vm.stranger)).error).toBeUndefined();
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

test('rotate_authority_v1: costs the payer nothing where the account has its room already', async () => {
  const before = vm.balance(vm.payer.publicKey);
  await vm.rotate(vm.stranger);
  expect(vm.balance(vm.payer.publicKey)).toBe(before);
});

test('rotate_authority_v1: keeps admin and bump', async () => {
  const before = vm.decode('config', CONFIG);
  await vm.rotate(vm.stranger);
  expect(vm.decode('config', CONFIG)).toEqual({
    ...before,
    authority: vm.stranger.publicKey,
    formerAuthority: vm.authority.publicKey,
  });
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

  test('tells the authority in AuthorityRetired', async () => {
    const { events } = await vm.retire(vm.authority.publicKey);
    expect(events).toEqual([{ name: 'authorityRetired', data: { authority: vm.authority.publicKey } }]);
  });

  test('a listing of the authority before stands after it, and its marketplace sells it', async () => {
    expect((await vm.list()).error).toBeUndefined();
    await vm.retire(vm.authority.publicKey);
    expect((await vm.transfer(vm.marketplace, vm.buyer.publicKey)).error).toBeUndefined();
  });

  test('it is retired once', async () => {
    await vm.retire(vm.authority.publicKey);
    for (const other of [vm.authority.publicKey, ZERO]) expect((await vm.retire(other)).error).toBe('WrongAuthority');
  });
});

test('rotate_admin_v1: the new admin rotates from then on, the old one no longer, and listings go on', async () => {
  const before = vm.decode('config', CONFIG);
  expect((await vm.rotateAdmin(vm.stranger)).error).toBeUndefined();
  expect(vm.decode('config', CONFIG)).toEqual({ ...before, admin: vm.stranger.publicKey });
  expect((await vm.list()).error).toBeUndefined();
  expect((await vm.rotate(vm.buyer)).error).toBe('WrongAuthority');
  expect((await vm.rotateAdmin(vm.buyer)).error).toBe('WrongAuthority');
  const rotated = await vm.rotate(vm.buyer, { admin: vm.stranger.publicKey }, [vm.stranger, vm.buyer, vm.payer]);
  expect(rotated.error).toBeUndefined();
});

describe('a configuration of the first version, which is shorter', () => {
  beforeEach(() => vm.makeFirstConfig());

  test('goes on working: the authority does everything, a stranger nothing', async () => {
    expect(await errorsUnder(vm.authority)).toEqual(ALL);
    expect((await vm.list({ authority: vm.stranger.publicKey }, [vm.owner, vm.stranger])).error).toBe('WrongAuthority');
    expect((await vm.transfer(vm.owner, vm.buyer.publicKey)).error).toBeUndefined();
    expect((await vm.rotateAdmin(vm.stranger)).error).toBeUndefined();
    expect(vm.account(CONFIG)?.data).toHaveLength(73);
  });

  test('has no authority to retire', async () => {
    for (const other of [vm.authority.publicKey, ZERO]) expect((await vm.retire(other)).error).toBe('WrongAuthority');
  });

  test('grows with the next rotation; the payer adds the rent of the new bytes, and both authorities list', async () => {
    const before = vm.balance(vm.payer.publicKey);
    const missing = vm.svm.minimumBalanceForRentExemption(105n) - vm.svm.minimumBalanceForRentExemption(73n);
    expect((await vm.rotate(vm.stranger)).error).toBeUndefined();
    expect(vm.account(CONFIG)?.data).toHaveLength(accountSize('Config'));
    expect(before - vm.balance(vm.payer.publicKey)).toBe(missing);
    expect(vm.decode('config', CONFIG)).toMatchObject({
      authority: vm.stranger.publicKey,
      admin: vm.admin.publicKey,
      formerAuthority: vm.authority.publicKey,
    });
    expect(await errorsUnder(vm.authority)).toEqual(LISTINGS_ONLY);
    expect(await errorsUnder(vm.stranger)).toEqual(ALL);
  });

  test('an account of any other length is none', async () => {
    const data = Uint8Array.from(vm.account(CONFIG)?.data ?? []);
    for (const bytes of [data.slice(0, 72), Buffer.concat([data, Buffer.alloc(1)])]) {
      vm.forge(CONFIG, bytes, PROGRAM_ID);
      expect((await vm.list()).error).toBe('BadAccount');
    }
  });
});
