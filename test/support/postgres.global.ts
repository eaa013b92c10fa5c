import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/entities/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server with the database `fan_api_template`, migrated; connects to `postgres`. */
    postgresUrl: string;
    /** A folder that is removed when the whole run ends, for files that outlive a test file. */
    runFolder: string;
  }
}

/** One PostgreSQL for the whole run; each test file copies its migrated template (`support/database.ts`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fan-api-test-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(folder, { fsync: false });
  // over TCP, where a test can put a wire or a pooler between
  const url = Object.assign(new URL(server.url), { search: '' }).href;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query('create database fan_api_template');
  await admin.end();
  await migrate(at(url, 'fan_api_template'), () => {});
  project.provide('postgresUrl', url);
  project.provide('runFolder', folder);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

function at(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}
