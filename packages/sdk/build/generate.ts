/**
 * Makes the SDK's generated files: the types of the Fan API from its OpenAPI description, and the layout of the ticket program's
 * instructions and accounts from its IDL.
 *
 *   node packages/sdk/build/generate.ts     writes them (`npm run generate`); `npm run verify` compares them
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import openapiTS, { astToString } from 'openapi-typescript';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DESCRIPTION = fileURLToPath(new URL('../../../adapters/partner-api/fan/openapi.json', import.meta.url));

/** The generated files, and what makes the text of each. */
export const GENERATED_FILES: readonly { file: string; text: () => Promise<string> }[] = [
  { file: join(ROOT, 'src/openapi.ts'), text: describeTypes },
  { file: join(ROOT, 'src/ticket-program.ts'), text: describeProgram },
];

/** What a method of a path has in the description. */
interface Operation {
  responses: Record<string, { headers?: unknown }>;
}

/**
 * Only what the SDK calls, and its good answers: the authorization server's paths have a server of their own, which oauth4webapi calls,
 * partners receive webhooks, and refusals are `FanApiError`, whose headers are `AnswerFacts`.
 */
async function describeTypes(): Promise<string> {
  const { paths, webhooks: _received, components, ...document } = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
  const own = Object.entries<object>(paths).filter(([, path]) => !('servers' in path));
  const called = own.map(([path, methods]) => {
    const operations = Object.entries<Operation>(methods as Record<string, Operation>);
    return [path, Object.fromEntries(operations.map(([method, operation]) => [method, withGoodAnswers(operation)]))];
  });
  const { responses: _refusals, headers: _facts, ...used } = components;
  const nodes = await openapiTS({ ...document, paths: Object.fromEntries(called), components: used });
  return `${header('adapters/partner-api/fan/openapi.json')}${withoutAbsent(astToString(nodes))}`;
}

function withGoodAnswers(operation: Operation): Operation {
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const answers = good.map(([status, { headers: _, ...answer }]) => [status, answer]);
  return { ...operation, responses: Object.fromEntries(answers) };
}

/** Drops the members that a path or an operation does not have: the generator names each of them as `never`. */
function withoutAbsent(types: string): string {
  return types.replaceAll(/^ +\w+\?: never;\n/gm, '').replaceAll(/^ +parameters: \{\n +\};\n/gm, '');
}

/** What partners build, and what they read. */
const INSTRUCTIONS = ['create_listing_v1', 'cancel_listing_v1', 'transfer_permit_v1'];
const ACCOUNTS = ['Config', 'Permit'];
const SIZES: Readonly<Record<string, number>> = { pubkey: 32, u64: 8, u8: 1 };

async function describeProgram(): Promise<string> {
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
  return `${header('packages/ticket-program/program/idl.json')}/** Discriminator, and accounts in their order. */
export const INSTRUCTIONS = ${literal(instructions)} as const;

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

function header(source: string): string {
  return `// Generated from ${source} by npm run generate.\n\n`;
}

if (import.meta.main) {
  for (const { file, text } of GENERATED_FILES) writeFileSync(file, await text());
}
