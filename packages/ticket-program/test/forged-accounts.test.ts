import { Keypair, type PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { CONFIG, EVENT, PERMIT, PROGRAM_ID, startWithListing, startWithPermit } from './ticket-vm.ts';

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

type Forgery = (data: Uint8Array, address: PublicKey, vm: Vm) => [PublicKey, Uint8Array, PublicKey] | undefined;

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
  ['a byte more', 'BadAccount', (data, address) => [address, new Uint8Array([...data, 0]), PROGRAM_ID]],
  ['a byte less', 'BadAccount', (data, address) => [address, data.slice(0, -1), PROGRAM_ID]],
  // the bump is the last of the first version's fields
  [
    'a bump that leads elsewhere',
    'BadPda',
    (data, address) => [address, flipped(data, address === CONFIG ? 72 : data.length - 1, -1), PROGRAM_ID],
  ],
  ['no account at all', 'BadAccount', () => undefined],
];

describe.each(CASES)('$instruction: a look-alike of the $kind is refused', ({ start, address, attempt }) => {
  test.each(FORGERIES)('%s: %s', async (_, error, forgery) => {
    const vm = await start();
    const forged = forgery(new Uint8Array(vm.account(address)?.data ?? []), address, vm);
    if (forged) vm.forge(...forged);
    expect((await attempt(vm, forged?.[0] ?? elsewhere())).error).toBe(error);
  });
});
