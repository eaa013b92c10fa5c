import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of its own, copied from the migrated template. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function createDatabase(): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(postgresUrl, `create database ${name} template fan_api_template`);
  return {
    url: Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href,
    drop: () => asAdmin(postgresUrl, `drop database ${name} with (force)`),
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
