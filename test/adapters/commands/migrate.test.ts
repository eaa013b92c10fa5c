import { afterAll, expect, inject, it } from 'vitest';
import { BASELINE } from '../../../src/entities/migrations/all.ts';
import { asAdmin, withAdmin } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';

const NAME = `migrate_${crypto.randomUUID().replaceAll('-', '')}`;
const server = inject('postgresUrl');
await asAdmin(server, `create database ${NAME}`);
const url = Object.assign(new URL(server), { pathname: `/${NAME}` }).href;
afterAll(() => asAdmin(server, `drop database ${NAME} with (force)`));

const run = (words: string, env: Record<string, string> = {}) =>
  runCommand(words.split(' ')[0] ?? '', words.split(' ').slice(1), { DATABASE_URL: url, KEY_ENCRYPTION_KEY, ...env });

it('D-224: npm run migrate makes the schema and the queue, prints what ran, and then has nothing to do', async () => {
  const before = await run('keys status', { MIGRATE_ON_START: 'false' });
  expect(before).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database has no schema yet\. Run npm run migrate first/),
  });
  const first = await run('migrate');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout.split('\n')[0]).toBe(BASELINE);
  await withAdmin(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('pgboss.job')::text as queue`);
    expect(rows).toEqual([{ queue: 'pgboss.job' }]);
  });
  expect(await run('migrate')).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
  expect(await run('keys status', { MIGRATE_ON_START: 'false' })).toMatchObject({ code: 0 });
});
