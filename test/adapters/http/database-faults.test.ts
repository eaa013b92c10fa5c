import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { authorizeUrl, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.config.databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** What a browser and a partner ask for, on each surface. */
async function calls(): Promise<Response[]> {
  const { url } = await authorizeUrl(app);
  const { authUrl, apiUrl, loginUrl, adminUrl } = app.config;
  const token = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: app.kit.client_id,
    refresh_token: `rt_${'a'.repeat(43)}`,
  });
  return Promise.all([
    fetch(url, { redirect: 'manual' }),
    fetch(`${authUrl}/oauth2/token`, { method: 'POST', body: token }),
    fetch(`${loginUrl}/trpc/session.get`, {
      headers: { 'x-session-id': 'sess_01h45ytscbebyvny4gc8cr8ma2', cookie: 'fan_browser=br_x' },
    }),
    fetch(`${loginUrl}/apps/trpc/apps.list`, { headers: { cookie: `fan_portal=ps_${'a'.repeat(43)}` } }),
    fetch(`${loginUrl}/logos/${app.kit.client_id}/${'a'.repeat(16)}`),
    fetch(`${adminUrl}/auth/sign-in?token=x`, { redirect: 'manual' }),
    fetch(`${apiUrl}/tickets`, { headers: { authorization: 'Bearer x' } }),
  ]);
}

it('D-223: connections that are killed under sign-ins are never a 500, and always a Retry-After', {
  timeout: 120_000,
}, async () => {
  await signIn(app);
  let killing = true;
  const killer = (async () => {
    const client = new pg.Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    while (killing) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await sleep(15);
    }
    await client.end();
  })();
  const answers: Response[] = [];
  for (const until = performance.now() + 8_000; performance.now() < until; ) answers.push(...(await calls()));
  killing = false;
  await killer;
  const seen = answers.map((answer) => `${new URL(answer.url).pathname} ${answer.status}`);
  expect(seen.filter((each) => each.endsWith(' 500'))).toEqual([]);
  const unavailable = answers.filter(({ status }) => status === 503);
  expect(unavailable.length).toBeGreaterThan(0);
  expect(unavailable.filter(({ headers }) => !headers.get('retry-after')).map(({ url }) => url)).toEqual([]);
  await signIn(app);
});

it('D-223: a read-only database is a 503 and no readiness, and both end with it, without a restart', {
  timeout: 60_000,
}, async () => {
  const name = new URL(app.config.databaseUrl ?? '').pathname.slice(1);
  const ready = async () => (await fetch(`${app.origin}/readyz`)).status;
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await asAdmin(`alter database ${name} set default_transaction_read_only = on`);
  await asAdmin(end);
  const { url } = await authorizeUrl(app);
  await expect.poll(async () => (await fetch(url, { redirect: 'manual' })).status).toBe(503);
  const answer = await fetch(url, { redirect: 'manual' });
  expect({ status: answer.status, retry: answer.headers.get('retry-after') }).toEqual({ status: 503, retry: '5' });
  expect(await ready()).toBe(503);
  // the connections stay, and new ones may write: as behind a name that leads to the new primary
  await asAdmin(
    'set default_transaction_read_only = off',
    `alter database ${name} reset default_transaction_read_only`,
  );
  await expect.poll(ready, { timeout: 10_000 }).toBe(200);
  await signIn(app);
});
