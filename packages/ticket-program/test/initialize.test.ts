import { Keypair, PublicKey } from '@solana/web3.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountSize } from './account-size.ts';
import {
  CONFIG,
  LOADER,
  PROGRAM_DATA,
  PROGRAM_ID,
  startTicketVm,
  type TicketVm,
  withFlags,
  ZERO,
} from './ticket-vm.ts';

let vm: TicketVm;
beforeEach(() => {
  vm = startTicketVm();
});

test('initialize_v1: the upgrade authority creates the configuration and becomes the admin', async () => {
  expect((await vm.initialize()).error).toBeUndefined();
  const account = vm.account(CONFIG);
  expect(account?.programAddress).toBe(PROGRAM_ID.toBase58());
  expect(account?.data.length).toBe(accountSize('Config'));
  expect(account?.lamports).toBe(vm.svm.minimumBalanceForRentExemption(BigInt(accountSize('Config'))));
  const config = vm.decode('config', CONFIG);
  expect(config.authority).toEqual(vm.authority.publicKey);
  expect(config.admin).toEqual(vm.admin.publicKey);
});

test('initialize_v1: nobody but the upgrade authority may do it', async () => {
  const outcome = await vm.initialize({ admin: vm.stranger.publicKey }, [vm.stranger, vm.authority]);
  expect(outcome.error).toBe('WrongAuthority');
  expect(vm.account(CONFIG)).toBeUndefined();
});

test('initialize_v1: it works once, and a second time cannot change the authority', async () => {
  await vm.initialize();
  const again = await vm.initialize({ authority: vm.stranger.publicKey }, [vm.admin, vm.stranger]);
  expect(again.error).toBe('AlreadyExists');
  expect(vm.decode('config', CONFIG).authority).toEqual(vm.authority.publicKey);
});

test('initialize_v1: the configuration lies at its own address only', async () => {
  expect((await vm.initialize({ config: vm.stranger.publicKey })).error).toBe('BadPda');
});

test('initialize_v1: only the System program creates accounts', async () => {
  expect((await vm.initialize({ systemProgram: vm.stranger.publicKey })).error).toBe('BadAccount');
});

test('initialize_v1: lamports sent to the address beforehand do not block it', async () => {
  vm.fund(CONFIG, 1_000_000n);
  expect((await vm.initialize()).error).toBeUndefined();
  expect(vm.decode('config', CONFIG).admin).toEqual(vm.admin.publicKey);
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

  test('an account that ends before the end of its authority is refused', async () => {
    const data = vm.programData(vm.stranger.publicKey);
    for (const length of [0, 4, 12, 13, 44]) {
      vm.forge(PROGRAM_DATA, data.subarray(0, length), LOADER);
      await expectRefusal('BadAccount');
    }
  });

  test.each([0, 1, 2, 4])('the state %i of the loader, not ProgramData, is refused', async (state) => {
    const data = Buffer.from(vm.programData(vm.stranger.publicKey));
    data.writeUInt32LE(state);
    vm.forge(PROGRAM_DATA, data, LOADER);
    await expectRefusal('BadAccount');
  });

  test('an immutable program has no upgrade authority, though the loader leaves the bytes of its key', async () => {
    for (const flag of [0, 2, 255]) {
      const data = Buffer.from(vm.programData(vm.stranger.publicKey));
      data.writeUInt8(flag, 12);
      vm.forge(PROGRAM_DATA, data, LOADER);
      await expectRefusal('WrongAuthority');
    }
  });

  test('another key as the authority is refused, down to its last byte', async () => {
    for (const at of [13, 20, 28, 36, 44]) {
      const data = Buffer.from(vm.programData(vm.stranger.publicKey));
      data.writeUInt8((data[at] ?? 0) ^ 1, at);
      vm.forge(PROGRAM_DATA, data, LOADER);
      await expectRefusal('WrongAuthority');
    }
  });

  test('an upgrade authority that does not sign is refused', async () => {
    const instruction = await vm.build('initializeV1', [], {
      admin: vm.admin.publicKey,
      authority: vm.authority.publicKey,
    });
    expect(vm.send(withFlags(instruction, 1, { isSigner: false }), [vm.authority]).error).toBe('MissingSignature');
    expect(vm.account(CONFIG)).toBeUndefined();
  });
});

function derivedWith(bump: number): PublicKey | undefined {
  try {
    return PublicKey.createProgramAddressSync([PROGRAM_ID.toBytes(), Uint8Array.of(bump)], LOADER);
  } catch {
    return undefined; // on the curve
  }
}
