/**
 * Makes the layout of the ticket program's instructions and accounts for the SDK, from the IDL.
 *
 *   node packages/sdk/build/generate.ts     writes it (`npm run generate`); `npm run verify` compares it
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACCOUNT_VERSION } from '@fan-api/ticket-program/description';
import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };

/** Where the layout is committed. */
export const PROGRAM_FILE = fileURLToPath(new URL('../src/ticket-program.ts', import.meta.url));

/** What partners build, and what they read. */
const INSTRUCTIONS = ['create_listing_v1', 'cancel_listing_v1', 'transfer_permit_v1'];
const ACCOUNTS = ['Config', 'Permit'];
const SIZES: Readonly<Record<string, number>> = { pubkey: 32, u64: 8, u8: 1 };

/** @returns what the file holds */
export function describeProgram(): string {
  const instructions = INSTRUCTIONS.map((name) => {
    const found = idl.instructions.find((instruction) => instruction.name === name);
    if (found === undefined) throw new Error(`the IDL has no ${name}`);
    const accounts = found.accounts.map((account: { name: string; signer?: boolean; writable?: boolean }) => ({
      name: account.name,
      signer: account.signer ?? false,
      writable: account.writable ?? false,
    }));
    return [name, { discriminator: found.discriminator, accounts }];
  });
  const accounts = ACCOUNTS.map((name) => {
    const account = idl.accounts.find((candidate) => candidate.name === name);
    const type = idl.types.find((candidate) => candidate.name === name);
    if (account === undefined || type === undefined) throw new Error(`the IDL has no ${name}`);
    return [name, { discriminator: account.discriminator, offsets: offsetsOf(type.type.fields) }];
  });
  const literal = (entries: unknown[]) =>
    inShort(JSON.stringify(Object.fromEntries(entries as [string, unknown][]), null, 2));
  return `// Generated from packages/ticket-program/program/idl.json by npm run generate.

/** Discriminator, and accounts in their order. */
export const INSTRUCTIONS = ${literal(instructions)} as const;

/** The version of every account. */
export const ACCOUNT_VERSION = ${ACCOUNT_VERSION};

/** Discriminator, and where each field begins, in bytes. */
export const ACCOUNTS = ${literal(accounts)} as const;
`;
}

/** Lists and objects without others in them on one line each, where they fit. */
function inShort(json: string): string {
  return json.replace(/[[{][^[\]{}]*[\]}]/g, (flat) => {
    const line = flat.replace(/\s+/g, ' ');
    return line.length <= 100 ? line : flat;
  });
}

function offsetsOf(fields: readonly { name: string; type: unknown }[]): Record<string, number> {
  let offset = 8;
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const entry = [name, offset] as const;
      offset += sizeOf(type);
      return entry;
    }),
  );
}

function sizeOf(type: unknown): number {
  const size = typeof type === 'string' ? SIZES[type] : (type as { array?: [string, number] }).array?.[1];
  if (size === undefined) throw new Error(`a field of another type: ${JSON.stringify(type)}`);
  return size;
}

if (import.meta.main) writeFileSync(PROGRAM_FILE, describeProgram());
