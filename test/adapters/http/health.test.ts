import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { withAdmin } from '../../support/database.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { authorizeUrl, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

async function get(path: string) {
  // nothing is remembered for so long
  app.advance(5);
  const answer = await fetch(app.origin + path);
  return { status: answer.status, body: await answer.json() };
}

describe('health', () => {
  it('/healthz says that the process is alive, /readyz that it can work', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('/readyz names what is missing, and nothing of its address; /healthz stays', async () => {
    using _away = vi
      .spyOn(app.runtime.pool, 'query')
      .mockRejectedValue(new Error('connect ECONNREFUSED 10.0.0.1') as never);
    const { status, body } = await get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'not ready', missing: expect.arrayContaining(['database']) });
    expect(JSON.stringify(body)).not.toContain('10.0.0.1');
    expect((await get('/healthz')).status).toBe(200);
  });

  it('a database that gives no answer counts as missing after two seconds', async () => {
    using _silent = vi.spyOn(app.runtime.pool, 'query').mockReturnValue(new Promise(() => {}) as never);
    const started = performance.now();
    expect((await get('/readyz')).status).toBe(503);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('/readyz is for everybody', () => {
  it('a thousand calls ask the database once, and what it said is asked again a second later', async () => {
    using query = vi.spyOn(app.runtime.pool, 'query');
    const asked = () => query.mock.calls.filter(([text]) => String(text).includes('pg_is_in_recovery')).length;
    // however long the calls take
    using clock = freezeClock(app);
    clock.pass(5);
    for (let burst = 0; burst < 20; burst++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${app.origin}/readyz`)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      for (const answer of answers) await answer.body?.cancel();
    }
    const atOnce = asked();
    clock.pass(1);
    await fetch(`${app.origin}/readyz`);
    expect(atOnce).toBe(1);
    expect(asked()).toBeGreaterThan(atOnce);
  });

  it('a clock that was set back asks again', async () => {
    await get('/readyz');
    app.resetClock();
    using _away = vi.spyOn(app.runtime.pool, 'query').mockRejectedValue(new Error('away') as never);
    expect((await fetch(`${app.origin}/readyz`)).status).toBe(503);
  });
});

it('every answer has a new X-Request-Id: a caller’s own is not taken over', async () => {
  const paths = ['/healthz', '/readyz', '/fan/tickets', '/.well-known/jwks.json'].flatMap((path) => [path, path]);
  const chosen = { headers: { 'x-request-id': 'chosen' } };
  const answers = await Promise.all(paths.map((path) => fetch(app.origin + path, chosen)));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(ids).toEqual(paths.map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(new Set(ids).size).toBe(paths.length);
});

const KILL_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

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
  const killer = withAdmin(app.config.databaseUrl ?? '', async (client) => {
    for (; killing; await sleep(15)) await client.query(KILL_OTHERS);
  });
  const answers: Response[] = [];
  const refused = () => answers.filter(({ status }) => status === 503).length;
  for (const until = performance.now() + 8_000; performance.now() < until && refused() < 40; ) {
    answers.push(...(await calls()));
  }
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
  await withAdmin(app.config.databaseUrl ?? '', async (client) => {
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    await client.query(KILL_OTHERS);
  });
  const { url } = await authorizeUrl(app);
  await expect.poll(async () => (await fetch(url, { redirect: 'manual' })).status).toBe(503);
  const answer = await fetch(url, { redirect: 'manual' });
  expect({ status: answer.status, retry: answer.headers.get('retry-after') }).toEqual({ status: 503, retry: '5' });
  expect(await ready()).toBe(503);
  // the connections stay, and new ones may write: as behind a name that leads to the new primary
  await withAdmin(app.config.databaseUrl ?? '', async (client) => {
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database ${name} reset default_transaction_read_only`);
  });
  await expect.poll(ready, { timeout: 10_000 }).toBe(200);
  await signIn(app);
});
