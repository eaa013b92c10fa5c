import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

/** A database of its own, copied from the migrated template. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function createDatabase(): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // a third of the time that writing each block to the log takes
  await asAdmin(postgresUrl, `create database ${name} template fan_api_template strategy file_copy`);
  return {
    url: Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href,
    drop: () => dropDatabase(postgresUrl, name),
  };
}

/** How long connections that are being closed have before they are cut: a closed pool does not wait for the server. */
const CLOSING_MS = 1_000;

/** A connection that is cut while it closes would end the test run by an error that nobody catches. */
async function dropDatabase(postgresUrl: string, name: string): Promise<void> {
  await withAdmin(postgresUrl, async (client) => {
    const cutAt = performance.now() + CLOSING_MS;
    const isUsed = async () => (await client.query('select from pg_stat_activity where datname = $1', [name])).rowCount;
    while (performance.now() < cutAt && (await isUsed())) await sleep(20);
    await client.query(`drop database ${name} with (force)`);
  });
}

/** What tests of a file open and make as they need it: closed and dropped after the last one. */
export function testDatabases() {
  const opened: { close(): Promise<unknown> }[] = [];
  const databases: TestDatabase[] = [];
  afterAll(async () => {
    for (const each of opened) await each.close();
    for (const each of databases) await each.drop();
  });
  const database = async () => {
    const made = await createDatabase();
    databases.push(made);
    return made.url;
  };
  return { opened, databases, database };
}

/** A database for the tests of a file, which is dropped after the last one. */
export async function testDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  afterAll(drop);
  return url;
}

/** Runs a statement on a connection of its own. */
export function asAdmin(url: string, statement: string): Promise<void> {
  return withAdmin(url, async (client) => {
    await client.query(statement);
  });
}

/** Works on a connection of its own. */
export async function withAdmin(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
