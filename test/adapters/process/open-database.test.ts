import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../adapters/process/log.ts';
import { openDatabase } from '../../../adapters/process/open-database.ts';
import { compareSchema } from '../../../src/entities/migrate.ts';
import { BASELINE, MIGRATIONS, migrationOf } from '../../../src/entities/migrations/all.ts';
import { poolOf } from '../../../src/entities/orm.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { testDatabase } from '../../support/database.ts';
import { listen } from '../../support/listen.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';

const database = await testDatabase();
const admin = new pg.Client({ connectionString: database });
await admin.connect();
/** Opens as a start would. @returns what the log said */
async function open(url: string, env: Record<string, string> = {}): Promise<string> {
  let logged = '';
  const log = createLog('info', {
    write(line) {
      logged += line;
    },
  });
  const orm = await openDatabase(readConfig({ DATABASE_URL: url, KEY_ENCRYPTION_KEY, ...env }), url, log);
  try {
    const { missing } = await compareSchema(await poolOf(orm));
    expect(missing).toEqual([]);
  } finally {
    await orm.close();
  }
  return logged;
}
const faultOf = (url: string, env?: Record<string, string>) =>
  open(url, env).then(
    () => 'none',
    (error: unknown) => String(error),
  );
/** The test's database with other parts of the URL. */
const urlWith = (parts: Partial<URL>) => Object.assign(new URL(database), parts).href;

afterAll(() => admin.end());

describe('a database that can’t be used is named with its variable, and never with its password', () => {
  const secret = 's3cret-of-the-test';

  it.each([
    ['a wrong password', { password: secret }, /refuses user \w+: password authentication failed/],
    ['an unknown user', { username: 'nobody_here', password: secret }, /refuses user nobody_here/],
    ['no password', { password: '' }, /wants a password for user/],
    ['no such database', { pathname: '/not_there' }, /has no database not_there/],
    ['no server there', { port: '23001', password: secret }, /nothing answers at 127\.0\.0\.1:23001 \(ECONNREFUSED\)/],
    [
      'no such host',
      { hostname: 'db.invalid', password: secret },
      /nothing answers at db\.invalid:\d+ \((ENOTFOUND|EAI_AGAIN)\)/,
    ],
    ['no TLS there', { search: '?sslmode=require', password: secret }, /no TLS with 127\.0\.0\.1/],
  ])('%s', async (_, parts, expected) => {
    const fault = await faultOf(urlWith(parts));
    expect(fault).toMatch(/^Error: DATABASE_URL: /);
    expect(fault).toMatch(expected);
    expect(fault).not.toContain(secret);
    expect(fault).not.toContain(new URL(database).password);
  });

  it('one that gives no answer', async () => {
    const { port, stop } = await listen(createServer(() => undefined));
    expect(await faultOf(urlWith({ port: String(port) }))).toBe(
      `Error: DATABASE_URL: no answer from 127.0.0.1:${port} in time`,
    );
    await stop();
  });

  it('one that is read-only', async () => {
    const search = `?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    expect(await faultOf(urlWith({ search }))).toBe(
      'Error: DATABASE_URL: the server is read-only, a primary is needed',
    );
  });

  it('one whose user may not create tables', async () => {
    const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
    await admin.query(`create role ${role} login password '${secret}'`);
    await admin.query(`grant select, insert on mikro_orm_migrations to ${role}`);
    MIGRATIONS.push(migrationOf('9999-added', ['create table added (id int)']));
    const fault = await faultOf(urlWith({ username: role, password: secret })).finally(() => MIGRATIONS.pop());
    expect(fault).toMatch(
      new RegExp(`DATABASE_URL: user ${role} lacks a right in database test_\\w+: permission denied`),
    );
    expect(fault).not.toContain(secret);
  });
});

describe('D-224: the schema at start', () => {
  it('one of a newer release is named, and served', async () => {
    await admin.query(`insert into mikro_orm_migrations (name) values ('9999-later')`);
    const logged = await open(database, { MIGRATE_ON_START: 'false' });
    await admin.query(`delete from mikro_orm_migrations where name = '9999-later'`);
    expect(logged).toContain('"migrations":["9999-later"]');
    expect(logged).toContain('the schema is newer than this release');
  });

  it('one that is too old is named, and migrated only where that is allowed', async () => {
    MIGRATIONS.push(migrationOf('9999-added', ['select 1 / 0']));
    try {
      expect(await faultOf(database, { MIGRATE_ON_START: 'false' })).toContain(
        'too old for this release: it lacks 9999-added. Run npm run migrate first, or set MIGRATE_ON_START=true.',
      );
      expect(await faultOf(database, { MIGRATE_ON_START: 'true' })).toContain('division by zero');
    } finally {
      MIGRATIONS.pop();
    }
  });

  it('one from before the first release is refused, and whoever has it is told to start over', async () => {
    await admin.query(`update mikro_orm_migrations set name = '2026-11-20-foundation'`);
    for (const allowed of ['true', 'false'])
      expect(await faultOf(database, { MIGRATE_ON_START: allowed })).toContain('Start over: delete the folder .data');
    await admin.query('update mikro_orm_migrations set name = $1', [BASELINE]);
  });

  it.each([
    [{}, true],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', MIGRATE_ON_START: 'true' }, true],
    [{ MIGRATE_ON_START: 'false' }, false],
    [{ NODE_ENV: 'production', DATABASE_URL: undefined, EMBEDDED_DATABASE: 'true' }, true],
  ])('with %o a start migrates: %s', (env, migrates) => {
    const all = {
      DATABASE_URL: database,
      KEY_ENCRYPTION_KEY,
      SURFACES: 'fan',
      AUTH_URL: 'https://a.example',
      API_URL: 'https://a.example/fan',
      LOGIN_URL: 'https://a.example/login',
      ADMIN_URL: 'https://a.example/admin',
    };
    expect(readConfig({ ...all, ...env }).migrateOnStart).toBe(migrates);
  });
});
