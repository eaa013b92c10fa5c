import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { makeLogDays } from '../../../../src/entities/request-log-days.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import type { Uuid } from '../../../../src/platform/identifier/type-id.ts';
import { idOf, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { lastUseOf, refusedAttempts } from '../../../../src/record/activity/last-use.ts';
import { readTimeline } from '../../../../src/record/activity/read-timeline.ts';
import {
  countRequests,
  listRequests,
  type RequestListFilter,
  refusalsInLog,
} from '../../../../src/record/activity/request-list.ts';
import { resolveSearch } from '../../../../src/record/activity/resolve-search.ts';
import { search } from '../../../../src/record/activity/search.ts';
import { AT_ONCE_MS, fastestOf } from '../../../support/fastest-of.ts';
import { signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

/** One client with 100,000 requests of 1,000 grants, of which one has 20,000, and 20,000 audit entries of its own. */
const app = await testApp();
// each day has a partition
const DAY_MS = 86_400_000;
const NOW = new Date(Date.now() + 40 * DAY_MS);
await makeLogDays(
  app.runtime.pool,
  Array.from({ length: 30 }, (_, ago) => new Date(NOW.getTime() - ago * DAY_MS)),
);
const tokens = await signIn(app);
await app.runtime.activity.flush();
const inTheMiddle = await unhurried(async (pool) => {
  const [testUser] = app.kit.test_users;
  const own = [
    uuidOf('client', app.kit.client_id),
    uuidOf('grant', tokens.grant_id),
    uuidOf('usr', knownId('usr', testUser?.id ?? '')),
  ];
  await pool.query(
    `with others as materialized (
       select n, gen_random_uuid() as grant_id, gen_random_uuid() as fan_id from generate_series(0, 998) n
     )
     insert into request_log (id, at, operation, method, status, outcome, duration_ms, client_id, grant_id, fan_id)
     select gen_random_uuid(), $4::timestamptz - r.n * interval '20 seconds', 'tickets.list', 'GET', 200, 'ok', 4, $1,
       case when r.n % 5 = 0 then $2::uuid else others.grant_id end,
       case when r.n % 5 = 0 then $3::uuid else others.fan_id end
     from generate_series(1, 100000) as r (n) join others on others.n = r.n % 999`,
    [...own, NOW],
  );
  await pool.query(
    `insert into audit_entry (at, actor, action, subject, details)
     select $2::timestamptz - n * interval '30 seconds', 'client:' || $1::text, 'grant.revoked', 'grant_' || n, '{}'
     from generate_series(20000, 1, -1) n`,
    [app.kit.client_id, NOW],
  );
  await pool.query('analyze request_log, audit_entry');
  const [row] = (
    await pool.query<{ id: string }>(`select id from request_log where grant_id = $1 order by at limit 1 offset 9000`, [
      own[1],
    ])
  ).rows;
  return row?.id ?? '';
});

/** Does something without a limit of time. */
async function unhurried<Result>(work: (pool: PoolClient) => Promise<Result>): Promise<Result> {
  const pool = await app.runtime.pool.connect();
  await pool.query('set statement_timeout = 0');
  const result = await work(pool);
  pool.release(true);
  return result;
}

describe('with 100,000 requests in the log', () => {
  it('every story, its older parts and the search are there at once', async () => {
    const [testUser] = app.kit.test_users;
    const context = app.context();
    const before = new Date(NOW.getTime() - 10 * DAY_MS);
    const story = async (text: string, part: { before?: Date } = {}) => {
      const subjects = await resolveSearch(context, text);
      const { entries } = await readTimeline(context, subjects, { limit: 100, ...part });
      expect(entries.length, text).toBeGreaterThan(10);
    };
    const figures = {
      client: await fastestOf(() => story(app.kit.client_id)),
      'client, older': await fastestOf(() => story(app.kit.client_id, { before })),
      'busy grant': await fastestOf(() => story(tokens.grant_id)),
      'busy grant, older': await fastestOf(() => story(tokens.grant_id, { before })),
      'request in the middle': await fastestOf(() => story(inTheMiddle)),
      fan: await fastestOf(() => story(testUser?.id ?? '')),
      phone: await fastestOf(() => story(testUser?.phone ?? '')),
      'national phone': await fastestOf(() => story(testUser?.phone.slice(2) ?? '')),
      search: await fastestOf(() => search(context, 'front')),
      'search by digits': await fastestOf(() => search(context, testUser?.phone.slice(-6) ?? '')),
      'last use of 50 grants': await fastestOf(() =>
        lastUseOf(context, [tokens.grant_id, ...Array.from({ length: 49 }, () => idOf('grant', randomUUID() as Uuid))]),
      ),
      'refused attempts': await fastestOf(() =>
        refusedAttempts(context, [tokens.grant_id], { before: NOW, limit: 50 }),
      ),
    };
    for (const [what, ms] of Object.entries(figures)) expect(ms, what).toBeLessThan(AT_ONCE_MS);
  });

  it('a request of a grant that calls all the time is not lost among what came after it', async () => {
    const { pool } = app.runtime;
    const wanted = randomUUID();
    await pool.query(
      `insert into request_log (id, at, operation, method, status, outcome, duration_ms, grant_id)
       select case when n = 500 then $2::uuid else gen_random_uuid() end, $3::timestamptz - n * interval '1 second', 'tickets.list', 'GET',
         200, 'ok', 4, $1 from generate_series(1, 800) n`,
      [uuidOf('grant', tokens.grant_id), wanted, NOW],
    );
    const { entries } = await readTimeline(app.context(), [{ kind: 'request', id: wanted as Uuid }], { limit: 50 });
    expect(entries.map(({ references }) => references.requestId)).toContain(wanted);
    expect(entries).toHaveLength(50);
  });
});

/** Of 30 days, most of one client and well; one of them was refused for a reason of its own, long ago. */
it('with 120,000 requests every filter, the rarest too, is answered in 150 ms', { timeout: 120_000 }, async () => {
  await unhurried(async (pool) => {
    await pool.query('truncate request_log');
    await pool.query(
      `insert into request_log (id, at, operation, method, status, outcome, duration_ms, client_id)
       select gen_random_uuid(), $2::timestamptz - n * interval '20 seconds',
         (array['tickets.list', 'listings.sign', 'token.refresh', 'login.phone.sendCode'])[1 + n % 4], 'GET',
         case when n = 119000 then 400 when n % 50 = 0 then 401 else 200 end,
         case when n = 119000 then 'version_unknown' when n % 50 = 0 then 'access_token_expired' else 'ok' end, 4,
         case when n % 10 = 0 then gen_random_uuid() else $1::uuid end
       from generate_series(1, 120000) n`,
      [uuidOf('client', knownId('client', app.kit.client_id)), NOW],
    );
    await pool.query('analyze request_log');
  });
  const context = app.context();
  const clientId = knownId('client', app.kit.client_id);
  const deep = { at: new Date(NOW.getTime() - 25 * DAY_MS), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  const list = (filter: RequestListFilter, beyond?: typeof deep) => () =>
    listRequests(context, filter, { direction: 'newest', limit: 26, beyond });
  const figures: Record<string, number> = {
    all: await fastestOf(list({})),
    'all, far back': await fastestOf(list({}, deep)),
    'one code of all': await fastestOf(list({ outcome: 'version_unknown' })),
    'a code that never came': await fastestOf(list({ outcome: 'wrong_code' })),
    'failed calls of all': await fastestOf(list({ outcome: 'failed', operation: 'fan' })),
    'a status of all, far back': await fastestOf(list({ status: '4xx' }, deep)),
    'of a client': await fastestOf(list({ clientId })),
    'one code of a client': await fastestOf(list({ clientId, outcome: 'version_unknown' })),
    '5xx of a client': await fastestOf(list({ clientId, status: '5xx' })),
    'of a mode': await fastestOf(list({ mode: 'sandbox', outcome: 'failed' })),
    'the codes': await fastestOf(() => refusalsInLog(context)),
    'a client’s timeline': await fastestOf(() =>
      readTimeline(context, [{ kind: 'client', id: clientId }], { limit: 100 }, { outcome: 'version_unknown' }),
    ),
    'a count': await fastestOf(() => countRequests(context, { outcome: 'failed' }, 10_001)),
  };
  const [rare] = await listRequests(context, { outcome: 'version_unknown' }, { direction: 'newest', limit: 26 });
  expect(rare?.status).toBe(400);
  for (const [what, ms] of Object.entries(figures))
    expect(ms, `${what} of ${JSON.stringify(figures)}`).toBeLessThan(AT_ONCE_MS);
});
