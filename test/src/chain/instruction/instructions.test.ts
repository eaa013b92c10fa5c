import { createHash, randomBytes } from 'node:crypto';
import { BorshAccountsCoder, BorshInstructionCoder, type Idl } from '@coral-xyz/anchor';
import {
  configAddress,
  eventAddress,
  permitAddress,
  programDataAddress,
} from '@fan-api/cosign-policy/program-addresses';
import { accountDataLength, decodeAccount, NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { decodeArgs, instructionDataLength, instructionNameOf } from '@fan-api/cosign-policy/read-instruction';
import { type Field, INSTRUCTIONS } from '@fan-api/ticket-program/description';
import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { encodeAccount } from '../../../../src/chain/instruction/account-data.ts';
import { writeFields } from '../../../../src/chain/instruction/fields.ts';
import { encodeInstruction } from '../../../../src/chain/instruction/instructions.ts';

const address = () => new PublicKey(randomBytes(32)).toBase58();
const PROGRAM = address();
const CONFIG = configAddress(PROGRAM).address;
const SYSTEM = SystemProgram.programId.toBase58();
const ID = randomBytes(32);
const [A, B, C, D, E] = [address(), address(), address(), address(), address()];
const anchor = new BorshInstructionCoder(idl as Idl);
const accounts = new BorshAccountsCoder(idl as Idl);

/** Each instruction with its account list as the program reads it: w = writable, s = signer. */
const CASES = [
  {
    name: 'initialize_v1',
    built: encodeInstruction(PROGRAM, 'initialize_v1', { admin: A, authority: B }, {}),
    accounts: [
      [CONFIG, 'w'],
      [A, 'ws'],
      [B, 's'],
      [programDataAddress(PROGRAM).address, ''],
      [SYSTEM, ''],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
  {
    name: 'rotate_authority_v1',
    built: encodeInstruction(PROGRAM, 'rotate_authority_v1', { admin: A, new_authority: B, payer: C }, {}),
    accounts: [
      [CONFIG, 'w'],
      [A, 's'],
      [B, 's'],
      [C, 'ws'],
      [SYSTEM, ''],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
  {
    name: 'retire_authority_v1',
    built: encodeInstruction(PROGRAM, 'retire_authority_v1', { admin: A, former_authority: B }, {}),
    accounts: [
      [CONFIG, 'w'],
      [A, 's'],
      [B, ''],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
  {
    name: 'rotate_admin_v1',
    built: encodeInstruction(PROGRAM, 'rotate_admin_v1', { admin: A, new_admin: B }, {}),
    accounts: [
      [CONFIG, 'w'],
      [A, 's'],
      [B, 's'],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
  {
    name: 'register_event_v1',
    built: encodeInstruction(
      PROGRAM,
      'register_event_v1',
      { event: A, authority: B, organiser: C, payer: D },
      { event_id: ID },
    ),
    accounts: [
      [CONFIG, ''],
      [A, 'w'],
      [B, 's'],
      [C, ''],
      [D, 'ws'],
      [SYSTEM, ''],
    ],
    args: ID,
    anchorArgs: { event_id: [...ID] },
  },
  {
    name: 'issue_permit_v1',
    built: encodeInstruction(
      PROGRAM,
      'issue_permit_v1',
      { event: A, permit: B, authority: C, payer: D },
      { ticket_id: ID, owner: E },
    ),
    accounts: [
      [CONFIG, ''],
      [A, ''],
      [B, 'w'],
      [C, 's'],
      [D, 'ws'],
      [SYSTEM, ''],
    ],
    args: Buffer.concat([ID, new PublicKey(E).toBytes()]),
    anchorArgs: { ticket_id: [...ID], owner: new PublicKey(E) },
  },
  {
    name: 'create_listing_v1',
    built: encodeInstruction(
      PROGRAM,
      'create_listing_v1',
      { permit: A, owner: B, authority: C, marketplace: D },
      { price: 0x0102030405060708n },
    ),
    accounts: [
      [CONFIG, ''],
      [A, 'w'],
      [B, 's'],
      [C, 's'],
      [D, ''],
    ],
    args: Buffer.from('0807060504030201', 'hex'),
    anchorArgs: { price: 0x0102030405060708n },
  },
  {
    name: 'cancel_listing_v1',
    built: encodeInstruction(PROGRAM, 'cancel_listing_v1', { permit: A, owner: B, authority: C }, {}),
    accounts: [
      [CONFIG, ''],
      [A, 'w'],
      [B, 's'],
      [C, 's'],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
  {
    name: 'transfer_permit_v1',
    built: encodeInstruction(PROGRAM, 'transfer_permit_v1', { permit: A, transfer_authority: B, destination: C }, {}),
    accounts: [
      [CONFIG, ''],
      [A, 'w'],
      [B, 's'],
      [C, ''],
    ],
    args: Buffer.alloc(0),
    anchorArgs: {},
  },
] as const;

test('chain §1: every instruction of the program is among these cases', () => {
  expect(CASES.map(({ name }) => name).sort()).toEqual(INSTRUCTIONS.map(({ name }) => name).sort());
});

test.each(CASES)('chain §1: $name has its accounts in order, with their flags', ({ built, accounts: expected }) => {
  const seen = built.keys.map(({ pubkey, isSigner, isWritable }) => [
    pubkey.toBase58(),
    `${isWritable ? 'w' : ''}${isSigner ? 's' : ''}`,
  ]);
  expect(seen).toEqual(expected);
  expect(built.programId.toBase58()).toBe(PROGRAM);
});

test.each(CASES)(
  'chain §1: the data of $name is sha256("global:$name")[0..8] and its arguments',
  ({ name, built, args }) => {
    const discriminator = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
    expect(built.data).toEqual(Buffer.concat([discriminator, args]));
    expect(instructionDataLength(name)).toBe(built.data.length);
    expect(instructionNameOf(built.data)).toBe(name);
  },
);

test.each(CASES)('chain §1: anchor reads $name from the IDL as we write it', ({ name, built, anchorArgs }) => {
  const read = anchor.decode(built.data);
  expect(read?.name).toBe(name);
  expect(plain(read?.data)).toEqual(plain(anchorArgs));
});

test('chain §1: arguments come back as they went in', () => {
  const issue = CASES[5].built.data;
  expect(plain(decodeArgs('issue_permit_v1', issue))).toEqual(plain({ ticket_id: ID, owner: E }));
  const list = encodeInstruction(
    PROGRAM,
    'create_listing_v1',
    { permit: A, owner: B, authority: C, marketplace: D },
    { price: 2n ** 64n - 1n },
  );
  expect(decodeArgs('create_listing_v1', list.data)).toEqual({ price: 18_446_744_073_709_551_615n });
});

test('chain §1: data of another length is not decoded', () => {
  expect(() => decodeArgs('create_listing_v1', Buffer.alloc(15))).toThrow(RangeError);
  expect(() => decodeArgs('create_listing_v1', Buffer.alloc(17))).toThrow(RangeError);
});

test('chain §1: data that starts with no discriminator of ours has no name', () => {
  expect(instructionNameOf(randomBytes(16))).toBeUndefined();
  expect(instructionNameOf(CASES[5].built.data.subarray(0, 7))).toBeUndefined();
});

test.each([-1n, 2n ** 64n])('chain §1: a price of %d is refused by the encoder', (price) => {
  const build = () =>
    encodeInstruction(PROGRAM, 'create_listing_v1', { permit: A, owner: B, authority: C, marketplace: D }, { price });
  expect(build).toThrow(RangeError);
});

test('chain §1: an id that has not 32 bytes and a wallet that is none are refused by the encoder', () => {
  const slots = { event: A, permit: B, authority: C, payer: D };
  expect(() => encodeInstruction(PROGRAM, 'issue_permit_v1', slots, { ticket_id: randomBytes(31), owner: E })).toThrow(
    RangeError,
  );
  expect(() => encodeInstruction(PROGRAM, 'issue_permit_v1', slots, { ticket_id: ID, owner: 'nobody' })).toThrow(
    expect.objectContaining({ code: 'bad_address' }),
  );
  expect(() =>
    encodeInstruction(PROGRAM, 'issue_permit_v1', { ...slots, payer: '' }, { ticket_id: ID, owner: E }),
  ).toThrow(expect.objectContaining({ code: 'bad_address' }));
});

test('chain §1: a value of another type than the field has is refused, not written as zeros', () => {
  const fields: readonly Field[] = [{ name: 'price', type: 'u64' }];
  expect(() => writeFields(fields, { price: '7' })).toThrow(new RangeError('price is no u64'));
});

const PERMIT = { event: A, ticket_id: ID, owner: B, state: 1, marketplace: C, price: 77n, bump: 254 };

const CONFIG_VALUES = { authority: A, admin: B, bump: 255, former_authority: C };
const EVENT_VALUES = { event_id: ID, organiser: C, bump: 3 };

test.each([
  { name: 'Config', values: CONFIG_VALUES, data: encodeAccount('Config', CONFIG_VALUES), length: 105 },
  { name: 'Event', values: EVENT_VALUES, data: encodeAccount('Event', EVENT_VALUES), length: 73 },
  { name: 'Permit', values: PERMIT, data: encodeAccount('Permit', PERMIT), length: 146 },
] as const)(
  'chain §1: anchor reads $name from the IDL as we write it, and so do we',
  ({ name, values, data, length }) => {
    expect(plain(accounts.decode(name, data))).toEqual(plain(values));
    expect(plain(decodeAccount(name, data))).toEqual(plain(values));
    expect(data).toHaveLength(length);
    expect(accountDataLength(name)).toBe(length);
  },
);

test('D-194: a Config account of the first version is read as one without a former authority; other lengths are refused', () => {
  const data = encodeAccount('Config', CONFIG_VALUES);
  expect(decodeAccount('Config', data.subarray(0, 73))).toEqual({ ...CONFIG_VALUES, former_authority: NO_ADDRESS });
  for (const length of [72, 74, 104]) {
    expect(() => decodeAccount('Config', data.subarray(0, length))).toThrow(
      expect.objectContaining({ code: 'bad_account_data' }),
    );
  }
  const event = encodeAccount('Event', EVENT_VALUES);
  expect(() => decodeAccount('Event', event.subarray(0, 72))).toThrow(
    expect.objectContaining({ code: 'bad_account_data' }),
  );
});

test('chain §1: memcmp offsets point at the field', () => {
  const data = encodeAccount('Permit', PERMIT);
  const at = (offset: number) => new PublicKey(data.subarray(offset, offset + 32)).toBase58();
  // event, owner, marketplace
  expect([at(8), at(72), at(105)]).toEqual([A, B, C]);
});

test.each([
  ['of another kind', encodeAccount('Event', { event_id: ID, organiser: C, bump: 3 }), /no Permit/],
  ['a byte short', encodeAccount('Permit', PERMIT).subarray(0, -1), /bytes/],
  ['a byte long', Buffer.concat([encodeAccount('Permit', PERMIT), Buffer.alloc(1)]), /bytes/],
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
