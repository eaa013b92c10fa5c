/**
 * `npm run verify`: whatever is generated, or written beside something else that it must agree with, is in step. Exit
 * code 1 names what is not, and what mends it. A new generated file is one more entry of `CHECKS`.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import { checkProgram } from '@fan-api/ticket-program/build';
import { describeFanApi, OPENAPI_FILE } from '../adapters/partner-api/fan/openapi.ts';
import { GENERATED, withGenerated } from '../adapters/public/docs/error-catalogue.ts';
import { describeProgram, PROGRAM_FILE } from '../packages/sdk/build/generate.ts';
import { describePartnerSchema, describeSchema, PARTNER_SDL_FILE, SDL_FILE } from '../schema/print-schema.ts';
import { migrate } from '../src/entities/migrate.ts';
import { openOrm } from '../src/entities/orm.ts';

interface Check {
  name: string;
  /** What to do where it is out of step. */
  mend: string;
  /** @returns what is out of step, in words; undefined where nothing is */
  run(): Promise<string | undefined>;
}

const CHECKS: Check[] = [
  { name: 'OpenAPI description', mend: 'npm run generate', run: checkOpenApi },
  { name: 'layouts of the SDK', mend: 'npm run generate', run: checkSdk },
  { name: 'documentation', mend: 'npm run generate', run: checkDocumentation },
  { name: 'GraphQL schema', mend: 'npm run generate', run: checkGraphqlSchema },
  {
    name: 'ticket program',
    mend: 'npm run program:build (needs Rust 1.95.0 and sbpf-linker)',
    run: checkTicketProgram,
  },
  {
    name: 'migrations and entities',
    mend: 'add a migration with this SQL to src/entities/migrations and name it in all.ts',
    run: checkMigrations,
  },
];

async function checkOpenApi(): Promise<string | undefined> {
  const written: unknown = JSON.parse(await readFile(OPENAPI_FILE, 'utf8'));
  // through JSON, where a member that is undefined is as good as absent
  const described: unknown = JSON.parse(JSON.stringify(describeFanApi()));
  return isDeepStrictEqual(written, described)
    ? undefined
    : 'adapters/partner-api/fan/openapi.json differs from what the shapes say';
}

async function checkSdk(): Promise<string | undefined> {
  return (await readFile(PROGRAM_FILE, 'utf8')) === describeProgram()
    ? undefined
    : `${PROGRAM_FILE} differs from the IDL`;
}

async function checkDocumentation(): Promise<string | undefined> {
  for (const [file, part] of Object.entries(GENERATED)) {
    const page = await readFile(file, 'utf8');
    if (page !== withGenerated(page, part())) return `${file} differs from the tables of the code`;
  }
  return undefined;
}

async function checkGraphqlSchema(): Promise<string | undefined> {
  const files = [
    { name: 'schema/schema.graphql', file: SDL_FILE, described: describeSchema() },
    { name: 'schema/partners.graphql', file: PARTNER_SDL_FILE, described: describePartnerSchema() },
  ];
  for (const { name, file, described } of files) {
    if ((await readFile(file, 'utf8')) !== described) return `${name} differs from what the types say`;
  }
  return undefined;
}

async function checkTicketProgram(): Promise<string | undefined> {
  const results = checkProgram();
  const skipped = results.filter(({ outcome }) => outcome.startsWith('skipped'));
  for (const { file, outcome } of skipped) console.log(`  ${file} ${outcome}: its code is not compared here`);
  const different = results.filter(({ outcome }) => outcome === 'differs').map(({ file }) => file);
  return different.length === 0 ? undefined : `${different.join(', ')}: not what the sources give`;
}

/** A database that only the migrations made must hold what the entities describe. */
async function checkMigrations(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-verify-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(folder, { fsync: false });
  try {
    await migrate(server.url, () => {});
    const orm = await openOrm(server.url, 2, () => {});
    const missing = await orm.schema.getUpdateSchemaSQL();
    await orm.close();
    return missing.trim() === '' ? undefined : `the entities say more than the migrations:\n${missing.trim()}`;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

let failed = 0;
for (const { name, mend, run } of CHECKS) {
  const fault = await run();
  console.log(`${fault === undefined ? 'ok  ' : 'FAIL'}  ${name}`);
  if (fault === undefined) continue;
  failed++;
  console.error(`${fault}\nTo mend it: ${mend}`);
}
process.exitCode = failed === 0 ? 0 : 1;
