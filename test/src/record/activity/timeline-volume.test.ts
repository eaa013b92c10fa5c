import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import type { Uuid } from '../../../../src/platform/identifier/type-id.ts';
import { idOf, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { lastUseOf, refusedAttempts } from '../../../../src/record/activity/last-use.ts';
import { readTimeline } from '../../../../src/record/activity/read-timeline.ts';
import { resolveSearch } from '../../../../src/record/activity/resolve-search.ts';
import { search } from '../../../../src/record/activity/search.ts';
import { AT_ONCE_MS, fastestOf } from '../../../support/fastest-of.ts';
import { signIn, type Tokens } from '../../../support/partner.ts';
import { startApp, type TestApp } from '../../../support/start-app.ts';

/** One client with 100,000 requests of 1,000 grants, of which one has 20,000, and 20,000 audit entries of its own. */
let app: TestApp;
let tokens: Tokens;
let inTheMiddle: string;
beforeAll(async () => {
  app = await startApp();
  tokens = await signIn(app);
  await app.runtime.activity.flush();
  const pool = await app.runtime.pool.connect();
  await pool.query('set statement_timeout = 0');
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
     insert into api_request (id, at, operation, method, status, outcome, duration_ms, client_id, grant_id, fan_id)
     select gen_random_uuid(), now() - r.n * interval '20 seconds', 'tickets.list', 'GET', 200, 'ok', 4, $1,
       case when r.n % 5 = 0 then $2::uuid else others.grant_id end,
       case when r.n % 5 = 0 then $3::uuid else others.fan_id end
     from generate_series(1, 100000) as r (n) join others on others.n = r.n % 999`,
    own,
  );
  await pool.query(
    `insert into audit_entry (at, actor, action, subject, details)
     select now() - n * interval '30 seconds', 'client:' || $1::text, 'grant.revoked', 'grant_' || n, '{}'
     from generate_series(20000, 1, -1) n`,
    [app.kit.client_id],
  );
  await pool.query('analyze api_request, audit_entry');
  const [row] = (
    await pool.query<{ id: string }>(`select id from api_request where grant_id = $1 order by at limit 1 offset 9000`, [
      own[1],
    ])
  ).rows;
  inTheMiddle = row?.id ?? '';
  pool.release(true);
}, 60_000);
afterAll(() => app.stop());

describe('with 100,000 requests in the log', () => {
  it('every story, its older parts and the search are there at once', async () => {
    const [testUser] = app.kit.test_users;
    const context = app.context();
    const before = new Date(Date.now() - 10 * 86_400_000);
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
        refusedAttempts(context, [tokens.grant_id], { before: new Date(), limit: 50 }),
      ),
    };
    for (const [what, ms] of Object.entries(figures)) expect(ms, what).toBeLessThan(AT_ONCE_MS);
  });

  it('a request of a grant that calls all the time is not lost among what came after it', async () => {
    const { pool } = app.runtime;
    const wanted = randomUUID();
    await pool.query(
      `insert into api_request (id, at, operation, method, status, outcome, duration_ms, grant_id)
       select case when n = 500 then $2::uuid else gen_random_uuid() end, now() - n * interval '1 second', 'tickets.list', 'GET',
         200, 'ok', 4, $1 from generate_series(1, 800) n`,
      [uuidOf('grant', tokens.grant_id), wanted],
    );
    const { entries } = await readTimeline(app.context(), [{ kind: 'request', id: wanted as Uuid }], { limit: 50 });
    expect(entries.map(({ references }) => references.requestId)).toContain(wanted);
    expect(entries).toHaveLength(50);
  });
});
