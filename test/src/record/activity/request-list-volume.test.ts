import { afterAll, beforeAll, expect, it } from 'vitest';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { readTimeline } from '../../../../src/record/activity/read-timeline.ts';
import {
  countRequests,
  listRequests,
  type RequestListFilter,
  refusalsInLog,
} from '../../../../src/record/activity/request-list.ts';
import { AT_ONCE_MS, fastestOf } from '../../../support/fastest-of.ts';
import { startApp, type TestApp } from '../../../support/start-app.ts';

/** 120,000 requests of 30 days, most of one client and well; one of them was refused for a reason of its own, long ago. */
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const pool = await app.runtime.pool.connect();
  await pool.query('set statement_timeout = 0');
  await pool.query(
    `insert into api_request (id, at, operation, method, status, outcome, duration_ms, client_id)
     select gen_random_uuid(), date_trunc('milliseconds', now()) - n * interval '20 seconds',
       (array['tickets.list', 'listings.sign', 'token.refresh', 'login.phone.sendCode'])[1 + n % 4], 'GET',
       case when n = 119000 then 400 when n % 50 = 0 then 401 else 200 end,
       case when n = 119000 then 'version_unknown' when n % 50 = 0 then 'access_token_expired' else 'ok' end, 4,
       case when n % 10 = 0 then gen_random_uuid() else $1::uuid end
     from generate_series(1, 120000) n`,
    [uuidOf('client', knownId('client', app.kit.client_id))],
  );
  await pool.query('analyze api_request');
  pool.release(true);
}, 120_000);
afterAll(() => app.stop());

it('with 120,000 requests every filter, the rarest too, is answered in 150 ms', { timeout: 60_000 }, async () => {
  const context = app.context();
  const clientId = knownId('client', app.kit.client_id);
  const deep = { at: new Date(Date.now() - 25 * 86_400_000), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
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
