import anchor from '@coral-xyz/anchor';
import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { INSTRUCTIONS, type Instruction } from '../src/describe-program.ts';
import {
  EVENT,
  PERMIT,
  startTicketVm,
  startWithListing,
  startWithPermit,
  type TicketVm,
  withFlags,
} from './ticket-vm.ts';

/** Another ticket and event than the ones that exist. */
const NEW_ID = new Uint8Array(32).fill(77);

/** For each instruction a VM in which it works, and how to build it there. */
const STORIES: Record<
  string,
  { start: () => TicketVm | Promise<TicketVm>; build: (vm: TicketVm) => Promise<TransactionInstruction> }
> = {
  initialize_v1: {
    start: () => startTicketVm(),
    build: (vm) => vm.build('initializeV1', [], { admin: vm.admin.publicKey, authority: vm.authority.publicKey }),
  },
  rotate_authority_v1: {
    start: startWithPermit,
    build: (vm) =>
      vm.build('rotateAuthorityV1', [], {
        admin: vm.admin.publicKey,
        newAuthority: vm.stranger.publicKey,
        payer: vm.payer.publicKey,
      }),
  },
  retire_authority_v1: {
    start: async () => {
      const vm = await startWithPermit();
      await vm.rotate(vm.stranger);
      return vm;
    },
    build: (vm) =>
      vm.build('retireAuthorityV1', [], { admin: vm.admin.publicKey, formerAuthority: vm.authority.publicKey }),
  },
  rotate_admin_v1: {
    start: startWithPermit,
    build: (vm) => vm.build('rotateAdminV1', [], { admin: vm.admin.publicKey, newAdmin: vm.stranger.publicKey }),
  },
  register_event_v1: {
    start: startWithPermit,
    build: (vm) =>
      vm.build('registerEventV1', [[...NEW_ID]], {
        authority: vm.authority.publicKey,
        organiser: vm.organiser.publicKey,
        payer: vm.payer.publicKey,
      }),
  },
  issue_permit_v1: {
    start: startWithPermit,
    build: (vm) =>
      vm.build('issuePermitV1', [[...NEW_ID], vm.owner.publicKey], {
        event: EVENT,
        authority: vm.authority.publicKey,
        payer: vm.payer.publicKey,
      }),
  },
  create_listing_v1: {
    start: startWithPermit,
    build: (vm) =>
      vm.build('createListingV1', [new anchor.BN(1)], {
        permit: PERMIT,
        owner: vm.owner.publicKey,
        authority: vm.authority.publicKey,
        marketplace: vm.marketplace.publicKey,
      }),
  },
  cancel_listing_v1: {
    start: startWithListing,
    build: (vm) =>
      vm.build('cancelListingV1', [], {
        permit: PERMIT,
        owner: vm.owner.publicKey,
        authority: vm.authority.publicKey,
      }),
  },
  transfer_permit_v1: {
    start: startWithPermit,
    build: (vm) =>
      vm.build('transferPermitV1', [], {
        permit: PERMIT,
        transferAuthority: vm.owner.publicKey,
        destination: vm.buyer.publicKey,
      }),
  },
};

async function prepare(name: string) {
  const story = STORIES[name];
  if (!story) throw new Error(`no story for ${name}`);
  const vm = await story.start();
  const signers = [vm.admin, vm.authority, vm.payer, vm.owner, vm.stranger];
  return {
    vm,
    instruction: await story.build(vm),
    send: (changed: TransactionInstruction) => vm.send(changed, signers),
  };
}

function slotsWith(flag: 'signer' | 'writable') {
  return INSTRUCTIONS.flatMap(({ name, accounts }: Instruction) =>
    accounts.flatMap((account, index) => (account[flag] ? [{ name, account: account.name, index }] : [])),
  );
}

test.each(slotsWith('signer'))('$name: refused unless $account signs', async ({ name, index }) => {
  const { instruction, send } = await prepare(name);
  expect(send(withFlags(instruction, index, { isSigner: false })).error).toBe('MissingSignature');
});

test.each(slotsWith('writable'))('$name: refused unless $account is writable', async ({ name, index }) => {
  const { instruction, send } = await prepare(name);
  expect(send(withFlags(instruction, index, { isWritable: false })).error).toBe('NotWritable');
});

describe.each(INSTRUCTIONS.map(({ name }) => name))('%s', (name) => {
  test('works as the IDL says', async () => {
    const { instruction, send } = await prepare(name);
    expect(send(instruction).error).toBeUndefined();
  });

  test('refused with a byte more or a byte less', async () => {
    const { instruction, send } = await prepare(name);
    const { data } = instruction;
    for (const wrong of [Buffer.concat([data, Buffer.alloc(1)]), data.subarray(0, -1)]) {
      instruction.data = wrong;
      expect(send(instruction).error).toBe('BadInstruction');
    }
  });

  test('refused with an account less', async () => {
    const { instruction, send } = await prepare(name);
    instruction.keys.pop();
    expect(send(instruction).error).toBe('NotEnoughAccountKeys');
  });

  test('further accounts are passed over, repeated ones too', async () => {
    const { vm, instruction, send } = await prepare(name);
    const strangers = Array.from({ length: 5 }, () => Keypair.generate().publicKey);
    const further = [vm.stranger.publicKey, ...strangers, vm.stranger.publicKey, ...strangers];
    instruction.keys.push(...further.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })));
    expect(send(instruction).error).toBeUndefined();
  });
});

test.each([
  ['no data', Buffer.alloc(0)],
  ['less than a discriminator', Buffer.alloc(7)],
  ['an unknown discriminator', Buffer.alloc(8, 1)],
])('BadInstruction for %s', async (_, data) => {
  const { instruction, send } = await prepare('transfer_permit_v1');
  instruction.data = data;
  expect(send(instruction).error).toBe('BadInstruction');
});
