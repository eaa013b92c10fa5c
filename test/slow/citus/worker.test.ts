import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNextLogDays } from '../../../src/entities/request-log-days.ts';
import { readDashboard } from '../../../src/record/activity/read-dashboard.ts';
import { readTimeline } from '../../../src/record/activity/read-timeline.ts';
import { listRequests } from '../../../src/record/activity/request-list.ts';
import { type Citus, NO_CITUS, startWithLogMoved } from '../../support/citus.ts';
import { callFan, refresh, signIn } from '../../support/partner.ts';
import { refusedBy } from '../../support/refused.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(NO_CITUS !== undefined)(`a worker of Citus away (skipped: ${NO_CITUS ?? 'no'})`, () => {
  let citus: Citus;
  let app: TestApp;
  beforeAll(async () => {
    citus = await startWithLogMoved();
    app = await startApp({ databaseUrl: citus.coordinator.url });
  });
  afterAll(async () => {
    await app?.stop();
    await citus?.close();
  });

  it('sign-ins, tokens and calls go on, what reads the log fails, and what was logged meanwhile is written when it is back', async () => {
    const before = await signIn(app);
    expect((await refresh(app, before.refresh_token)).status).toBe(200);
    await app.runtime.activity.flush();
    const { worker } = await citus.placeOfLog();
    await worker.kill();

    const during = await signIn(app);
    const refreshed = await refresh(app, during.refresh_token);
    expect(refreshed.status).toBe(200);
    const called = await callFan(app, '/tickets', refreshed.access_token);
    expect(called.status).toBe(200);
    const context = app.context();
    await expect(app.runtime.activity.flush()).rejects.toThrow(/connection/);
    await expect(listRequests(context, {}, { direction: 'newest', limit: 25 })).rejects.toThrow();
    await expect(readTimeline(context, [{ kind: 'grant', id: before.grant_id }], { limit: 25 })).rejects.toThrow();
    await expect(makeNextLogDays(app.runtime.pool, new Date(Date.now() + 8 * 86_400_000))).rejects.toThrow();
    // counts are of the coordinator
    expect((await readDashboard(context, { period: 'hour' })).tokens).not.toEqual([]);
    // whether its answer was heard stands in the log: nobody is punished for what can't be known
    expect(await refresh(app, before.refresh_token)).toMatchObject({ status: 503, error: 'temporarily_unavailable' });

    await worker.start();
    await app.runtime.activity.flush();
    const ids = [refreshed.headers.get('x-request-id'), called.headers.get('x-request-id')];
    const { rowCount } = await app.runtime.pool.query('select from request_log where id = any($1::uuid[])', [ids]);
    expect(rowCount).toBe(2);
    expect(await refresh(app, before.refresh_token)).toMatchObject(refusedBy('invalid_grant'));
    expect((await refresh(app, refreshed.refresh_token)).status).toBe(200);
  });
});
