import type anchor from '@coral-xyz/anchor';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { renderIdl } from '../build/render-idl.ts';
import { ERRORS, errorCode } from '../src/describe-errors.ts';
import {
  ACCOUNT_DISCRIMINATORS,
  ACCOUNTS,
  discriminator,
  EVENT_DISCRIMINATORS,
  EVENTS,
  INSTRUCTION_DISCRIMINATORS,
  INSTRUCTIONS,
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
  const names =
    'BadInstruction MissingSignature WrongOwner WrongAuthority BadAccount BadPda AlreadyExists NotWritable WrongState BadPrice ' +
    'BadDestination BadMarketplace WrongListing WrongPrice WrongSize WrongVersion SameKey TooEarly WrongReceiver';
  expect(ERRORS.map(({ name }) => [name, errorCode(name)])).toEqual(
    names.split(' ').map((name, at) => [name, 6000 + at]),
  );
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
