import { createHash, randomBytes } from 'node:crypto';
import { BorshAccountsCoder, BorshInstructionCoder, type Idl } from '@coral-xyz/anchor';
import {
  configAddress,
  eventAddress,
  permitAddress,
  programDataAddress,
} from '@fan-api/cosign-policy/program-addresses';
import { accountDataLength, decodeAccount } from '@fan-api/cosign-policy/read-account';
import { decodeArgs, instructionDataLength, instructionNameOf } from '@fan-api/cosign-policy/read-instruction';
import { ACCOUNT_VERSION, type Field, INSTRUCTIONS, type InstructionName } from '@fan-api/ticket-program/description';
import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { encodeInstruction, writeFields } from '../../../../src/chain/instruction/instructions.ts';
import { encodeAccount } from '../../../support/encode-account.ts';

const address = () => new PublicKey(randomBytes(32)).toBase58();
const PROGRAM = address();
const CONFIG = configAddress(PROGRAM).address;
const SYSTEM = SystemProgram.programId.toBase58();
const ID = randomBytes(32);
const [A, B, C, D, E] = [address(), address(), address(), address(), address()];
const anchor = new BorshInstructionCoder(idl as Idl);
const accounts = new BorshAccountsCoder(idl as Idl);
const owner = { ticket_id: ID, owner: E };
const PRICE = { price: 0x0102030405060708n };
const NONE = Buffer.alloc(0);
const NAMED: Readonly<Record<string, string>> = {
  A,
  B,
  C,
  D,
  config: CONFIG,
  system: SYSTEM,
  data: programDataAddress(PROGRAM).address,
};

/** Each instruction with its accounts as the program reads them (w = writable, s = signer), and the bytes of its arguments. */
const CASES: [InstructionName, accounts: object, args: object, expected: string, bytes: Buffer][] = [
  ['initialize_v1', { admin: A, authority: B, payer: C }, {}, 'config:w A:ws B:s C:s data system', NONE],
  ['rotate_authority_v1', { admin: A, new_authority: B }, {}, 'config:w A:s B:s', NONE],
  ['retire_authority_v1', { admin: A, former_authority: B }, {}, 'config:w A:s B', NONE],
  ['rotate_admin_v1', { admin: A, new_admin: B }, {}, 'config:w A:s B:s', NONE],
  ['rotate_payer_v1', { admin: A, new_payer: B }, {}, 'config:w A:s B:s', NONE],
  [
    'register_event_v1',
    { event: A, authority: B, organiser: C, payer: D },
    { event_id: ID, closable_from: 2n },
    'config A:w B:s C D:ws system',
    Buffer.concat([ID, Buffer.from('0200000000000000', 'hex')]),
  ],
  [
    'issue_permit_v1',
    { event: A, permit: B, authority: C, payer: D },
    owner,
    'config A B:w C:s D:ws system',
    Buffer.concat([ID, new PublicKey(E).toBytes()]),
  ],
  [
    'create_listing_v1',
    { permit: A, owner: B, authority: C, marketplace: D },
    PRICE,
    'config A:w B:s C:s D',
    Buffer.from('0807060504030201', 'hex'),
  ],
  ['cancel_listing_v1', { permit: A, owner: B, authority: C }, {}, 'config A:w B:s C:s', NONE],
  [
    'transfer_permit_v1',
    { permit: A, transfer_authority: B, destination: C },
    { listing: 3n, ...PRICE },
    'config A:w B:s C',
    Buffer.from('03000000000000000807060504030201', 'hex'),
  ],
  ['close_event_v1', { event: A, authority: B, receiver: C }, {}, 'config A:w B:s C:w', NONE],
  ['close_permit_v1', { event: A, permit: B, authority: C, receiver: D }, {}, 'config A B:w C:s D:w', NONE],
];
const build = (name: InstructionName, accounts: object, args: object) =>
  encodeInstruction(PROGRAM, name, accounts as never, args as never);
const issue = build('issue_permit_v1', { event: A, permit: B, authority: C, payer: D }, owner).data;
const ANCHOR_ARGS: Readonly<Record<string, object>> = {
  register_event_v1: { event_id: [...ID], closable_from: 2n },
  issue_permit_v1: { ticket_id: [...ID], owner: new PublicKey(E) },
  create_listing_v1: PRICE,
  transfer_permit_v1: { listing: 3n, ...PRICE },
};

test('chain §1: every instruction of the program is among these cases', () => {
  expect(CASES.map(([name]) => name).toSorted()).toEqual(INSTRUCTIONS.map(({ name }) => name).sort());
});

test.each(CASES)('chain §1: %s has its accounts in order, with their flags', (name, accounts, args, expected) => {
  const { keys, programId } = build(name, accounts, args);
  const flags = (signer: boolean, writable: boolean) => `${writable ? 'w' : ''}${signer ? 's' : ''}`;
  const seen = keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), flags(isSigner, isWritable)]);
  expect(seen).toEqual(
    expected.split(' ').map((each) => {
      const [account = '', expectedFlags = ''] = each.split(':');
      return [NAMED[account], expectedFlags];
    }),
  );
  expect(programId.toBase58()).toBe(PROGRAM);
});

test.each(CASES)(
  'chain §1: the data of %s is its discriminator and its arguments',
  (name, accounts, args, _, bytes) => {
    const { data } = build(name, accounts, args);
    const discriminator = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
    expect(data).toEqual(Buffer.concat([discriminator, bytes]));
    expect(instructionDataLength(name)).toBe(data.length);
    expect(instructionNameOf(data)).toBe(name);
    const read = anchor.decode(data);
    expect(read?.name).toBe(name);
    expect(plain(read?.data)).toEqual(plain(ANCHOR_ARGS[name] ?? {}));
  },
);

test('chain §1: arguments come back as they went in', () => {
  expect(plain(decodeArgs('issue_permit_v1', issue))).toEqual(plain(owner));
  const slots = { permit: A, owner: B, authority: C, marketplace: D };
  const { data } = build('create_listing_v1', slots, { price: 2n ** 64n - 1n });
  expect(decodeArgs('create_listing_v1', data)).toEqual({ price: 18_446_744_073_709_551_615n });
});

test('chain §1: data of another length is not decoded', () => {
  expect(() => decodeArgs('create_listing_v1', Buffer.alloc(15))).toThrow(RangeError);
  expect(() => decodeArgs('create_listing_v1', Buffer.alloc(17))).toThrow(RangeError);
});

test('chain §1: data that starts with no discriminator of ours has no name', () => {
  expect(instructionNameOf(randomBytes(16))).toBeUndefined();
  expect(instructionNameOf(issue.subarray(0, 7))).toBeUndefined();
});

test.each([-1n, 2n ** 64n])('chain §1: a price of %d is refused by the encoder', (price) => {
  const slots = { permit: A, owner: B, authority: C, marketplace: D };
  expect(() => build('create_listing_v1', slots, { price })).toThrow(RangeError);
});

test('chain §1: an id that has not 32 bytes and a wallet that is none are refused by the encoder', () => {
  const slots = { event: A, permit: B, authority: C, payer: D };
  const encode = (accounts: typeof slots, args: typeof owner) => () => build('issue_permit_v1', accounts, args);
  const badAddress = expect.objectContaining({ code: 'bad_address' });
  expect(encode(slots, { ticket_id: randomBytes(31), owner: E })).toThrow(RangeError);
  expect(encode(slots, { ticket_id: ID, owner: 'nobody' })).toThrow(badAddress);
  expect(encode({ ...slots, payer: '' }, owner)).toThrow(badAddress);
});

test('chain §1: a value of another type than the field has is refused, not written as zeros', () => {
  const fields: readonly Field[] = [{ name: 'price', type: 'u64' }];
  expect(() => writeFields(fields, { price: '7' })).toThrow(new RangeError('price is no u64'));
});

const PERMIT = { event: A, ticket_id: ID, owner: B, state: 1, marketplace: C, price: 77n, listing: 3n, bump: 254 };
const CONFIG_VALUES = { authority: A, former_authority: C, admin: B, payer: D, bump: 255 };
const EVENT_VALUES = { event_id: ID, organiser: C, closable_from: 4n, bump: 3 };

test.each([
  { name: 'Config', values: CONFIG_VALUES, data: encodeAccount('Config', CONFIG_VALUES), length: 138 },
  { name: 'Event', values: EVENT_VALUES, data: encodeAccount('Event', EVENT_VALUES), length: 82 },
  { name: 'ClosedEvent', values: {}, data: encodeAccount('ClosedEvent', {}), length: 9 },
  { name: 'Permit', values: PERMIT, data: encodeAccount('Permit', PERMIT), length: 155 },
] as const)(
  'chain §1: anchor reads $name from the IDL as we write it, and so do we',
  ({ name, values, data, length }) => {
    const written = plain({ version: ACCOUNT_VERSION, ...values });
    expect(plain(accounts.decode(name, data))).toEqual(written);
    expect(plain(decodeAccount(name, data))).toEqual(written);
    expect(data).toHaveLength(length);
    expect(accountDataLength(name)).toBe(length);
  },
);

test('chain §1: memcmp offsets point at the field', () => {
  const data = encodeAccount('Permit', PERMIT);
  const at = (offset: number) => new PublicKey(data.subarray(offset, offset + 32)).toBase58();
  // event, owner, marketplace
  expect([at(9), at(73), at(106)]).toEqual([A, B, C]);
});

test.each([
  ['of another kind', encodeAccount('Event', EVENT_VALUES), /no Permit/],
  ['a byte short', encodeAccount('Permit', PERMIT).subarray(0, -1), /bytes/],
  ['a byte long', Buffer.concat([encodeAccount('Permit', PERMIT), Buffer.alloc(1)]), /bytes/],
  ['of another version', encodeAccount('Permit', { ...PERMIT, version: 1 }), /version 1/],
  ['of an unknown state', encodeAccount('Permit', { ...PERMIT, state: 2 }), /permit state 2/],
  ['empty', Buffer.alloc(0), /no Permit/],
])('chain §1: account data that is %s is no permit', (_, data, message) => {
  expect(() => decodeAccount('Permit', data)).toThrow(
    expect.objectContaining({ code: 'bad_account_data', message: expect.stringMatching(message) }),
  );
});

test('chain §1: addresses of the program come from their seeds, the first time and again', () => {
  const program = new PublicKey(PROGRAM);
  const event = eventAddress(PROGRAM, ID).address;
  const derive = (...seeds: Uint8Array[]) => {
    const [key, bump] = PublicKey.findProgramAddressSync(seeds, program);
    return { address: key.toBase58(), bump };
  };
  for (let round = 0; round < 2; round++) {
    expect(configAddress(PROGRAM)).toEqual(derive(Buffer.from('config')));
    expect(eventAddress(PROGRAM, ID)).toEqual(derive(Buffer.from('event'), ID));
    expect(permitAddress(PROGRAM, event, ID)).toEqual(
      derive(Buffer.from('permit'), new PublicKey(event).toBytes(), ID),
    );
    expect(permitAddress(PROGRAM, event, randomBytes(32)).address).not.toBe(permitAddress(PROGRAM, event, ID).address);
    expect(configAddress(address()).address).not.toBe(CONFIG);
  }
  expect(() => eventAddress(PROGRAM, randomBytes(31))).toThrow(RangeError);
});

/** How anchor's big numbers turn into JSON. */
function evenHex(value: bigint): string {
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

/** Values of ours and of anchor's in one spelling. */
function plain(values: unknown): unknown {
  return JSON.parse(
    JSON.stringify(values, (_, value) => {
      if (typeof value === 'bigint') return evenHex(value);
      if (value instanceof Uint8Array) return [...value];
      if (value?.type === 'Buffer') return value.data;
      return value;
    }),
  );
}
