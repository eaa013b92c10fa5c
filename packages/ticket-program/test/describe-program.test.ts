import anchor from '@coral-xyz/anchor';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { renderIdl } from '../build/render-idl.ts';
import { ERRORS, errorCode } from '../src/describe-errors.ts';
import {
  ACCOUNT_DISCRIMINATORS,
  ACCOUNTS,
  type AccountSlot,
  DISCRIMINATOR_SIZE,
  discriminator,
  EVENT_DISCRIMINATORS,
  EVENTS,
  INSTRUCTION_DISCRIMINATORS,
  INSTRUCTIONS,
  sizeOf,
} from '../src/describe-program.ts';
import { LOCAL_ADMIN, LOCAL_ADMIN_SEED, LOCAL_PROGRAM_ID, LOCAL_PROGRAM_SEED } from '../src/local-keys.ts';
import { IDL } from './ticket-vm.ts';

test('Anchor: a discriminator is the first 8 bytes of sha256("global:<name>")', () => {
  // Published in Anchor's own documentation and seen in countless programs.
  expect(Buffer.from(discriminator('global', 'initialize')).toString('hex')).toBe('afaf6d1f0d989bed');
  expect(INSTRUCTION_DISCRIMINATORS.transfer_permit_v1).toEqual(discriminator('global', 'transfer_permit_v1'));
  expect(ACCOUNT_DISCRIMINATORS.Permit).toEqual(discriminator('account', 'Permit'));
  expect(EVENT_DISCRIMINATORS.PermitIssued).toEqual(discriminator('event', 'PermitIssued'));
});

test('no two things of a kind share a discriminator', () => {
  for (const table of [INSTRUCTION_DISCRIMINATORS, ACCOUNT_DISCRIMINATORS, EVENT_DISCRIMINATORS]) {
    const texts = Object.values(table).map((bytes) => Buffer.from(bytes).toString('hex'));
    expect(new Set(texts).size).toBe(texts.length);
  }
});

test('error codes count from 6000 in the order of the description', () => {
  expect(ERRORS.map(({ name }) => [name, errorCode(name)])).toEqual([
    ['BadInstruction', 6000],
    ['MissingSignature', 6001],
    ['WrongOwner', 6002],
    ['WrongAuthority', 6003],
    ['BadAccount', 6004],
    ['BadPda', 6005],
    ['AlreadyExists', 6006],
    ['NotWritable', 6007],
    ['WrongState', 6008],
    ['BadPrice', 6009],
    ['BadDestination', 6010],
    ['BadMarketplace', 6011],
    ['WrongListing', 6012],
    ['WrongPrice', 6013],
    ['WrongSize', 6014],
    ['WrongVersion', 6015],
    ['SameKey', 6016],
    ['TooEarly', 6017],
    ['WrongReceiver', 6018],
  ]);
});

test('the slots of every instruction are the agreed ones, with w for writable and s for signer', () => {
  const flags = (slot: AccountSlot) => `${slot.writable ? 'w' : ''}${slot.signer ? 's' : ''}`;
  const slots = INSTRUCTIONS.map(({ name, accounts }) => [
    name,
    accounts.map((slot) => [slot.name, flags(slot)].filter(Boolean).join(' ')).join(', '),
  ]);
  expect(Object.fromEntries(slots)).toEqual({
    initialize_v1: 'config w, admin ws, authority s, payer s, program_data, system_program',
    rotate_authority_v1: 'config w, admin s, new_authority s',
    retire_authority_v1: 'config w, admin s, former_authority',
    rotate_admin_v1: 'config w, admin s, new_admin s',
    rotate_payer_v1: 'config w, admin s, new_payer s',
    register_event_v1: 'config, event w, authority s, organiser, payer ws, system_program',
    issue_permit_v1: 'config, event, permit w, authority s, payer ws, system_program',
    create_listing_v1: 'config, permit w, owner s, authority s, marketplace',
    cancel_listing_v1: 'config, permit w, owner s, authority s',
    transfer_permit_v1: 'config, permit w, transfer_authority s, destination',
    close_event_v1: 'config, event w, authority s, receiver w',
    close_permit_v1: 'config, event, permit w, authority s, receiver w',
  });
});

test('Anchor gives every account the size of the description', () => {
  const { coder } = new anchor.Program(IDL, { connection: {} as never });
  for (const { name, fields } of ACCOUNTS) {
    expect(coder.accounts.size(name.replace(/^./, (letter) => letter.toLowerCase()))).toBe(
      DISCRIMINATOR_SIZE + sizeOf(fields),
    );
  }
});

test('the IDL names everything that the description does, and is written for its address', () => {
  const address = Keypair.generate().publicKey.toBase58();
  const idl: anchor.Idl = JSON.parse(renderIdl(address));
  const names = (items: readonly { name: string }[] | undefined) => items?.map(({ name }) => name);
  expect(idl.address).toBe(address);
  expect(idl.metadata.spec).toBe('0.1.0');
  expect(names(idl.instructions)).toEqual(names(INSTRUCTIONS));
  expect(names(idl.accounts)).toEqual(names(ACCOUNTS));
  expect(names(idl.events)).toEqual(names(EVENTS));
  expect(names(idl.errors)).toEqual(names(ERRORS));
  expect(idl.instructions.flatMap(({ name, returns }) => (returns ? [[name, returns]] : []))).toEqual([
    ['create_listing_v1', 'u64'],
  ]);
});

test('the local keys are the ones of their public phrases', () => {
  expect(Keypair.fromSeed(LOCAL_ADMIN_SEED).publicKey.toBase58()).toBe(LOCAL_ADMIN);
  expect(Keypair.fromSeed(LOCAL_PROGRAM_SEED).publicKey.toBase58()).toBe(LOCAL_PROGRAM_ID);
  expect(IDL.address, 'of the committed IDL').toBe(LOCAL_PROGRAM_ID);
});
