import { Keypair, type PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { CONFIG, EVENT, PERMIT, PROGRAM_ID, startTicketVm, startWithListing, startWithPermit } from './ticket-vm.ts';

type Vm = Awaited<ReturnType<typeof startWithPermit>>;

/** Each instruction that reads the account, with a look-alike in its place. */
const READERS = {
  config: {
    start: startWithPermit,
    address: CONFIG,
    run: {
      rotate_authority_v1: (vm: Vm, config: PublicKey) => vm.rotate(vm.stranger, { config }),
      retire_authority_v1: (vm: Vm, config: PublicKey) => vm.retire(vm.authority.publicKey, { config }),
      rotate_admin_v1: (vm: Vm, config: PublicKey) => vm.rotateAdmin(vm.stranger, { config }),
      register_event_v1: (vm: Vm, config: PublicKey) => vm.register({ config }),
      issue_permit_v1: (vm: Vm, config: PublicKey) => vm.issue({ config }),
      create_listing_v1: (vm: Vm, config: PublicKey) => vm.list({ config }),
      cancel_listing_v1: (vm: Vm, config: PublicKey) => vm.cancel({ config }),
      transfer_permit_v1: (vm: Vm, config: PublicKey) => vm.transfer(vm.owner, vm.buyer.publicKey, { config }),
    },
  },
  event: {
    start: startWithPermit,
    address: EVENT,
    run: { issue_permit_v1: (vm: Vm, event: PublicKey) => vm.issue({ event, permit: PERMIT }) },
  },
  'held permit': {
    start: startWithPermit,
    address: PERMIT,
    run: {
      create_listing_v1: (vm: Vm, permit: PublicKey) => vm.list({ permit }),
      transfer_permit_v1: (vm: Vm, permit: PublicKey) => vm.transfer(vm.owner, vm.buyer.publicKey, { permit }),
    },
  },
  'listed permit': {
    start: startWithListing,
    address: PERMIT,
    run: {
      cancel_listing_v1: (vm: Vm, permit: PublicKey) => vm.cancel({ permit }),
      transfer_permit_v1: (vm: Vm, permit: PublicKey) => vm.transfer(vm.marketplace, vm.buyer.publicKey, { permit }),
    },
  },
};

const CASES = Object.entries(READERS).flatMap(([kind, { run, ...rest }]) =>
  Object.entries(run).map(([instruction, attempt]) => ({ kind, instruction, attempt, ...rest })),
);

describe.each(CASES)('$instruction: a look-alike of the $kind is refused', ({ start, address, attempt }) => {
  test('the same bytes, owned by another program', async () => {
    const vm = await start();
    const fake = Keypair.generate().publicKey;
    vm.forge(fake, bytesOf(vm, address), vm.stranger.publicKey);
    expect((await attempt(vm, fake)).error).toBe('BadAccount');
  });

  test('the same bytes, owned by the program, at another address', async () => {
    const vm = await start();
    const fake = Keypair.generate().publicKey;
    vm.forge(fake, bytesOf(vm, address), PROGRAM_ID);
    expect((await attempt(vm, fake)).error).toBe('BadPda');
  });

  test('the right address, but another discriminator', async () => {
    const vm = await start();
    const data = bytesOf(vm, address);
    data[0] = (data[0] ?? 0) ^ 1;
    vm.forge(address, data, PROGRAM_ID);
    expect((await attempt(vm, address)).error).toBe('BadAccount');
  });

  test('the right address, but a byte longer or shorter', async () => {
    const vm = await start();
    const data = bytesOf(vm, address);
    for (const wrong of [new Uint8Array([...data, 0]), data.slice(0, -1)]) {
      vm.forge(address, wrong, PROGRAM_ID);
      expect((await attempt(vm, address)).error).toBe('BadAccount');
    }
  });

  test('the right address, but a bump that leads elsewhere', async () => {
    const vm = await start();
    const data = bytesOf(vm, address);
    // the last of the first version's fields
    const at = address === CONFIG ? 72 : data.length - 1;
    data[at] = (data[at] ?? 0) - 1;
    vm.forge(address, data, PROGRAM_ID);
    expect((await attempt(vm, address)).error).toBe('BadPda');
  });

  test('no account at all', async () => {
    const vm = await start();
    expect((await attempt(vm, Keypair.generate().publicKey)).error).toBe('BadAccount');
  });
});

test('one account of the program does not pass for another', async () => {
  const vm = await startWithPermit();
  expect((await vm.list({ permit: EVENT })).error).toBe('BadAccount');
  expect((await vm.list({ permit: CONFIG })).error).toBe('BadAccount');
  expect((await vm.list({ config: EVENT })).error).toBe('BadAccount');
  expect((await vm.issue({ event: PERMIT, permit: vm.stranger.publicKey })).error).toBe('BadAccount');
});

test('before initialize_v1 nothing works', async () => {
  const vm = startTicketVm();
  expect((await vm.register()).error).toBe('BadAccount');
});

function bytesOf(vm: Vm, address: PublicKey): Uint8Array {
  return new Uint8Array(vm.account(address)?.data ?? []);
}
