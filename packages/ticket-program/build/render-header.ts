import { decodeAddress } from '@fan-api/solana-wire/base58';
import { ERRORS, FIRST_ERROR_CODE } from '../src/describe-errors.ts';
import {
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

const C_DECLARATIONS: Readonly<Record<FieldType, (name: string) => string>> = {
  pubkey: (name) => `Pubkey ${name};`,
  bytes32: (name) => `u8 ${name}[32];`,
  u64: (name) => `u64 ${name};`,
  u8: (name) => `u8 ${name};`,
};

/**
 * The C header `permit.h`: what the program's source shares with its TypeScript description.
 *
 * @returns C text: error codes, discriminators, packed structs, and for each instruction the position and flags of its accounts
 */
export function renderHeader(): string {
  const blocks = [
    '/* Made from describe-program.ts by build-program.ts: do not edit. */\n#pragma once\n#include "sbf.h"',
    `enum { DISCRIMINATOR_SIZE = ${DISCRIMINATOR_SIZE} };`,
    enumeration(ERRORS.map(({ name }, index) => `ERROR_${constant(name)} = ${FIRST_ERROR_CODE + index}`)),
    enumeration(Object.entries(PERMIT_STATES).map(([name, value]) => `PERMIT_${constant(name)} = ${value}`)),
    seedTexts()
      .map((text) => `#define SEED_${constant(text)} "${text}"`)
      .join('\n'),
    `#define UPGRADEABLE_LOADER_BYTES ${decodeAddress(UPGRADEABLE_LOADER)?.join(', ')}`,
    ...ACCOUNTS.map((layout) => layoutBlock('account', layout)),
    ...EVENTS.map((layout) => layoutBlock('event', layout)),
    shapeType(),
    ...INSTRUCTIONS.map(instructionBlock),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function layoutBlock(namespace: 'account' | 'event', { name, docs, fields, firstFields }: Layout): string {
  const firstSize = DISCRIMINATOR_SIZE + sizeOf(fields.slice(0, firstFields));
  return [
    `/* ${docs} */`,
    `#define ${constant(name)}_DISCRIMINATOR ${word(discriminator(namespace, name))}`,
    struct(name, ['u64 discriminator;', ...declarations(fields)], DISCRIMINATOR_SIZE + sizeOf(fields)),
    ...(firstFields === undefined ? [] : [`enum { ${constant(name)}_FIRST_SIZE = ${firstSize} };`]),
  ].join('\n');
}

function shapeType(): string {
  const mostAccounts = Math.max(...INSTRUCTIONS.map(({ accounts }) => accounts.length));
  return [
    'enum { MUST_SIGN = 1, MUST_BE_WRITABLE = 2 };',
    'typedef struct {',
    '  u8 arguments_size;',
    '  u8 account_count;',
    `  u8 account_flags[${mostAccounts}];`,
    '} InstructionShape;',
  ].join('\n');
}

function instructionBlock({ name, docs, accounts, args }: Instruction): string {
  const id = constant(name);
  const flags = accounts.map(flagsOf).join(', ');
  return [
    `/* ${docs} */`,
    `#define ${id} ${word(discriminator('global', name))}`,
    enumeration(accounts.map((account) => `${id}_${constant(account.name)}`)),
    ...(args.length ? [struct(`${pascal(name)}Arguments`, declarations(args), sizeOf(args))] : []),
    `static const InstructionShape ${id}_SHAPE = {`,
    `  ${sizeOf(args)}, ${accounts.length}, { ${flags} },`,
    '};',
  ].join('\n');
}

function flagsOf({ signer, writable }: AccountSlot): string {
  const flags = [...(signer ? ['MUST_SIGN'] : []), ...(writable ? ['MUST_BE_WRITABLE'] : [])];
  return flags.join(' | ') || '0';
}

function seedTexts(): string[] {
  const slots: readonly AccountSlot[] = INSTRUCTIONS.flatMap(({ accounts }) => [...accounts]);
  const texts = slots.flatMap(({ seeds = [] }) => seeds.flatMap((seed) => ('text' in seed ? [seed.text] : [])));
  return [...new Set(texts)];
}

function declarations(fields: readonly Field[]): string[] {
  return fields.map(({ name, type }) => C_DECLARATIONS[type](name));
}

function struct(name: string, members: readonly string[], size: number): string {
  const body = members.map((member) => `  ${member}`).join('\n');
  return `typedef struct PACKED {\n${body}\n} ${name};\n_Static_assert(sizeof(${name}) == ${size}, "wire size");`;
}

function enumeration(members: readonly string[]): string {
  return `enum {\n${members.map((member) => `  ${member},`).join('\n')}\n};`;
}

/** The bytes as the number that a little-endian machine reads. */
function word(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).reverse().toString('hex')}UL`;
}

/** `PermitIssued` and `permit_issued` become `PERMIT_ISSUED`. */
function constant(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

/** `issue_permit_v1` becomes `IssuePermitV1`. */
function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
