import { decodeAddress } from '@fan-api/solana-wire/base58';
import { ERRORS, FIRST_ERROR_CODE } from '../src/describe-errors.ts';
import {
  ACCOUNT_VERSION,
  ACCOUNTS,
  type AccountSlot,
  DISCRIMINATOR_SIZE,
  discriminator,
  EVENTS,
  type Field,
  type FieldType,
  INSTRUCTIONS,
  type Instruction,
  type Layout,
  PERMIT_STATES,
  sizeOf,
  UPGRADEABLE_LOADER,
} from '../src/describe-program.ts';

/** All of alignment 1, so that a struct has no padding and lies anywhere. A number is its little-endian bytes. */
const RUST_TYPES: Readonly<Record<FieldType, string>> = {
  pubkey: 'Address',
  bytes32: '[u8; 32]',
  u64: '[u8; 8]',
  u8: 'u8',
};

/**
 * The Rust module `layout.rs`: what the program's source shares with its TypeScript description.
 *
 * @returns Rust text: error codes, structs of accounts, events and arguments, and for each instruction a struct of its accounts with
 *   the function that checks the shape of the data and accounts
 */
export function renderLayout(): string {
  const blocks = [
    '//! Made from describe-program.ts by build-program.ts: do not edit.\n' +
      'use bytemuck::{Pod, Zeroable};\n' +
      'use pinocchio::{AccountView, Address, error::ProgramError};\n\n' +
      'use crate::require::{must_be_writable, must_sign, require};',
    errorType(),
    layoutTrait(),
    [
      `pub const ACCOUNT_VERSION: u8 = ${ACCOUNT_VERSION};`,
      ...Object.entries(PERMIT_STATES).map(([name, value]) => `pub const PERMIT_${constant(name)}: u8 = ${value};`),
      ...seedTexts().map((text) => `pub const ${constant(text)}_SEED: &[u8] = b"${text}";`),
      `pub const UPGRADEABLE_LOADER: Address = Address::new_from_array([${decodeAddress(UPGRADEABLE_LOADER)?.join(', ')}]);`,
    ].join('\n'),
    ...ACCOUNTS.map((layout) => layoutBlock('account', layout)),
    ...EVENTS.map((layout) => layoutBlock('event', layout)),
    ...INSTRUCTIONS.map(instructionBlock),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function errorType(): string {
  return [
    '#[derive(Clone, Copy)]',
    '#[repr(u32)]',
    'pub enum Error {',
    ...ERRORS.flatMap(({ name, message }, index) => [
      `    /// ${message}.`,
      `    ${name} = ${FIRST_ERROR_CODE + index},`,
    ]),
    '}',
  ].join('\n');
}

function layoutTrait(): string {
  return [
    '/// The data of an account, or an event: a discriminator and fields.',
    'pub trait Layout: Pod {',
    `    const DISCRIMINATOR: [u8; ${DISCRIMINATOR_SIZE}];`,
    '}',
  ].join('\n');
}

function layoutBlock(namespace: 'account' | 'event', { name, docs, fields }: Layout): string {
  const bytes = [...discriminator(namespace, name)].join(', ');
  return [
    struct(name, docs, [`discriminator: [u8; ${DISCRIMINATOR_SIZE}]`, ...members(fields)]),
    `const _: () = assert!(size_of::<${name}>() == ${DISCRIMINATOR_SIZE + sizeOf(fields)});`,
    `impl Layout for ${name} {`,
    `    const DISCRIMINATOR: [u8; ${DISCRIMINATOR_SIZE}] = [${bytes}];`,
    '}',
  ].join('\n');
}

function instructionBlock({ name, docs, accounts, args }: Instruction): string {
  const type = pascal(name);
  const lines = [
    ...(args.length ? [struct(`${type}Arguments`, `Arguments of \`${name}\`.`, members(args)), ''] : []),
    `/// ${docs}`,
    `pub struct ${type}<'a> {`,
    ...accounts.map((slot) => `    pub ${slot.name}: &'a ${slot.writable ? 'mut ' : ''}AccountView,`),
    ...(args.length ? [`    pub arguments: &'a ${type}Arguments,`] : []),
    '}',
    `impl<'a> ${type}<'a> {`,
    `    pub const DISCRIMINATOR: u64 = ${word(discriminator('global', name))};`,
    '',
    "    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {",
    args.length
      ? '        let arguments = bytemuck::try_from_bytes(data).map_err(|_| Error::BadInstruction)?;'
      : '        require(data.is_empty(), Error::BadInstruction)?;',
    `        let [${accounts.map((slot) => slot.name).join(', ')}, ..] = accounts else {`,
    '            return Err(ProgramError::NotEnoughAccountKeys);',
    '        };',
    ...accounts.flatMap(checks),
    `        Ok(Self { ${[...accounts.map((slot) => slot.name), ...(args.length ? ['arguments'] : [])].join(', ')} })`,
    '    }',
    '}',
  ];
  return lines.join('\n');
}

function checks({ name, signer, writable }: AccountSlot): string[] {
  return [
    ...(signer ? [`        must_sign(${name})?;`] : []),
    ...(writable ? [`        must_be_writable(${name})?;`] : []),
  ];
}

function seedTexts(): string[] {
  const slots: readonly AccountSlot[] = INSTRUCTIONS.flatMap(({ accounts }) => [...accounts]);
  const texts = slots.flatMap(({ seeds = [] }) => seeds.flatMap((seed) => ('text' in seed ? [seed.text] : [])));
  return [...new Set(texts)];
}

function members(fields: readonly Field[]): string[] {
  return fields.map(({ name, type }) => `${name}: ${RUST_TYPES[type]}`);
}

/** Any bytes are a value of it, and it has no padding: the derives prove both. */
function struct(name: string, docs: string, members: readonly string[]): string {
  return [
    `/// ${docs}`,
    '#[derive(Clone, Copy, Pod, Zeroable)]',
    '#[repr(C)]',
    `pub struct ${name} {`,
    ...members.map((member) => `    pub ${member},`),
    '}',
  ].join('\n');
}

/** The bytes as the number that a little-endian machine reads. */
function word(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).reverse().toString('hex')}`;
}

/** `held` becomes `HELD`. */
function constant(name: string): string {
  return name.toUpperCase();
}

/** `issue_permit_v1` becomes `IssuePermitV1`. */
function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
