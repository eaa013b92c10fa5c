import { decodeAddress } from '@fan-api/solana-wire/base58';
import { ERRORS, FIRST_ERROR_CODE } from '../src/describe-errors.ts';
import {
  ACCOUNTS,
  type AccountSlot,
  discriminator,
  EVENTS,
  type Field,
  type FieldType,
  INSTRUCTIONS,
  type Instruction,
  type Layout,
  type Seed,
} from '../src/describe-program.ts';

/** As in `biome.json`, so that the formatter does not change the committed file. */
const LINE_WIDTH = 120;

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/**
 * The Anchor IDL (spec 0.1.0) of the program, from which a partner's Anchor client builds instructions and reads accounts.
 *
 * @param programId base58 address that the program has on the cluster
 * @returns JSON text, always the same for the same address
 * @throws RangeError for a text that is no address
 */
export function renderIdl(programId: string): string {
  const idl: Json = {
    address: programId,
    metadata: { name: 'permit', version: '2.0.0', spec: '0.1.0', description: 'Tickets as permits' },
    instructions: INSTRUCTIONS.map(({ name, docs, accounts, args, returns }: Instruction) => ({
      name,
      docs: [docs],
      discriminator: [...discriminator('global', name)],
      accounts: accounts.map((slot) => accountItem(slot, programId)),
      args: args.map(fieldItem),
      ...(returns && { returns: typeOf(returns) }),
    })),
    accounts: ACCOUNTS.map(({ name }) => ({ name, discriminator: [...discriminator('account', name)] })),
    events: EVENTS.map(({ name }) => ({ name, discriminator: [...discriminator('event', name)] })),
    errors: ERRORS.map(({ name, message }, index) => ({ code: FIRST_ERROR_CODE + index, name, msg: message })),
    types: [...ACCOUNTS, ...EVENTS].map(typeItem),
  };
  return `${print(idl, '', 0)}\n`;
}

function accountItem({ name, writable, signer, address, seeds, derivedBy }: AccountSlot, programId: string): Json {
  return {
    name,
    ...(writable && { writable }),
    ...(signer && { signer }),
    ...(address && { address }),
    ...(seeds && {
      pda: {
        seeds: seeds.map((seed) => seedItem(seed, programId)),
        ...(derivedBy && { program: constant(addressBytes(derivedBy)) }),
      },
    }),
  };
}

function seedItem(seed: Seed, programId: string): Json {
  if ('text' in seed) return constant(Buffer.from(seed.text));
  if ('programId' in seed) return constant(addressBytes(programId));
  if ('arg' in seed) return { kind: 'arg', path: seed.arg };
  return { kind: 'account', path: seed.account };
}

function constant(bytes: Uint8Array): Json {
  return { kind: 'const', value: [...bytes] };
}

/** @throws RangeError for anything but 32 bytes in base58 */
function addressBytes(address: string): Uint8Array {
  const bytes = decodeAddress(address);
  if (bytes === undefined) throw new RangeError(`not a base58 address: ${address}`);
  return bytes;
}

function fieldItem({ name, type }: Field): Json {
  return { name, type: typeOf(type) };
}

function typeOf(type: FieldType): Json {
  return type === 'bytes32' ? { array: ['u8', 32] } : type;
}

function typeItem({ name, docs, fields }: Layout): Json {
  return { name, docs: [docs], type: { kind: 'struct', fields: fields.map(fieldItem) } };
}

/** `JSON.stringify` would give each byte of a discriminator its own line; this keeps a list of plain values on one where it fits. */
function print(value: Json, indent: string, column: number): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    const oneLine = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const plain = value.every((item) => typeof item !== 'object');
    // One more column for the comma that may follow.
    if (plain && column + oneLine.length < LINE_WIDTH) return oneLine;
    if (value.every((item) => typeof item === 'number')) return block('[', ']', indent, fill(value, inner.length));
    return block(
      '[',
      ']',
      indent,
      value.map((item) => print(item, inner, inner.length)),
    );
  }
  const members = Object.entries(value).map(([key, member]) => {
    const start = `${JSON.stringify(key)}: `;
    return start + print(member, inner, inner.length + start.length);
  });
  return block('{', '}', indent, members);
}

/** Numbers in as few lines as possible. */
function fill(numbers: readonly number[], column: number): string[] {
  const lines: string[] = [];
  for (const number of numbers) {
    const longer = `${lines.at(-1)}, ${number}`;
    if (lines.length > 0 && column + longer.length < LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(String(number));
  }
  return lines;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function block(open: string, close: string, indent: string, items: readonly string[]): string {
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`;
}
