import { Keypair, PublicKey } from '@solana/web3.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOADER } from './loader.ts';
import { CONFIG, PROGRAM_DATA, PROGRAM_ID, startTicketVm, type TicketVm, ZERO } from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(() => {
  vm = startTicketVm();
});

describe('initialize_v1: the upgrade authority is read from the ProgramData account of this program', () => {
  /** The stranger calls, and the forged account names the stranger. */
  const attempt = (programData: PublicKey = PROGRAM_DATA) =>
    vm.initialize({ admin: vm.stranger.publicKey, programData }, [vm.stranger, vm.authority]);

  async function expectRefusal(error: string, programData?: PublicKey): Promise<void> {
    expect((await attempt(programData)).error).toBe(error);
    expect(vm.account(CONFIG)).toBeUndefined();
  }

  test('handed over, the new one may and the old one may not', async () => {
    vm.forgeProgramData(vm.stranger.publicKey);
    expect((await vm.initialize()).error).toBe('WrongAuthority');
    expect((await attempt()).error).toBeUndefined();
    expect(vm.decode('config', CONFIG).admin).toEqual(vm.stranger.publicKey);
  });

  test('an account of the loader at another address is refused', async () => {
    const fake = Keypair.generate().publicKey;
    vm.forge(fake, vm.programData(vm.stranger.publicKey), LOADER);
    await expectRefusal('BadPda', fake);
  });

  test('the ProgramData account of another program is refused', async () => {
    const other = Keypair.generate().publicKey;
    const [theirs] = PublicKey.findProgramAddressSync([other.toBytes()], LOADER);
    vm.forge(theirs, vm.programData(vm.stranger.publicKey), LOADER);
    await expectRefusal('BadPda', theirs);
  });

  test('an address that the ticket program derives itself is refused', async () => {
    const [own] = PublicKey.findProgramAddressSync([PROGRAM_ID.toBytes()], PROGRAM_ID);
    vm.forge(own, vm.programData(vm.stranger.publicKey), PROGRAM_ID);
    await expectRefusal('BadPda', own);
  });

  test('an address of the same seeds with another bump is refused', async () => {
    const [, bump] = PublicKey.findProgramAddressSync([PROGRAM_ID.toBytes()], LOADER);
    for (let lower = bump - 1; ; lower--) {
      const fake = derivedWith(lower);
      if (!fake) continue;
      vm.forge(fake, vm.programData(vm.stranger.publicKey), LOADER);
      await expectRefusal('BadPda', fake);
      break;
    }
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

function derivedWith(bump: number): PublicKey | undefined {
  try {
    return PublicKey.createProgramAddressSync([PROGRAM_ID.toBytes(), Uint8Array.of(bump)], LOADER);
  } catch {
    return undefined; // on the curve
  }
}
