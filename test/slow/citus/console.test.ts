import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLogDays } from '../../../src/entities/request-log-days.ts';
import type { SignedInStaff } from '../../../src/partners/rights.ts';
import { limitUse } from '../../../src/people/workspace/limit-use.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { idOf } from '../../../src/platform/identifier/type-id.ts';
import { lastUseOf, refusedAttempts } from '../../../src/record/activity/last-use.ts';
import { PERIOD_NAMES, readDashboard } from '../../../src/record/activity/read-dashboard.ts';
import { refusalsInLog } from '../../../src/record/activity/request-list.ts';
import { copyFanData } from '../../../src/sign-in/own-data/copy-data.ts';
import { type Citus, MOVE_LOG, NO_CITUS, startCitus } from '../../support/citus.ts';
import { consoleLists, timelines } from '../../support/console-lists.ts';
import { fillTables } from '../../support/fill-tables.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

const ROWS = 2_000;
const DAY_MS = 86_400_000;

describe.skipIf(NO_CITUS !== undefined)(`the console over Citus (skipped: ${NO_CITUS ?? 'no'})`, () => {
  let citus: Citus;
  let app: TestApp;
  let staff: SignedInStaff;
  let tokens: Tokens;
  beforeAll(async () => {
    citus = await startCitus();
    app = await startApp({ databaseUrl: citus.coordinator.url });
    staff = await newStaff(app);
    await fillTables(app.runtime.pool, ROWS);
    await spreadOverDays();
    tokens = await signIn(app);
    await callFan(app, '/tickets', tokens.access_token);
    await callFan(app, '/claims/execute', tokens.access_token, { method: 'POST' });
    await postForm(app, '/oauth2/token', refreshForm(app, 'rt_wrong'));
    await app.runtime.activity.flush();
    const at = app.runtime.now();
    app.runtime.now = () => at;
  });
  afterAll(async () => {
    await app?.stop();
    await citus?.close();
  });

  /** The first partition has all until a week from now: some rows go to days after it, so that pages read several. */
  async function spreadOverDays(): Promise<void> {
    const { pool } = app.runtime;
    await makeLogDays(
      pool,
      [8, 9, 10].map((days) => new Date(Date.now() + days * DAY_MS)),
    );
    await pool.query(`update request_log set at = at + interval '10 days' where at > now() - interval '2 days'`);
  }

  /** Every page that reads the log, by its name, and the other lists with it. */
  async function readAll(): Promise<Record<string, unknown>> {
    const context = app.context();
    const shown: Record<string, unknown> = {};
    for (const { name, page, total } of consoleLists()) {
      shown[name] = [await runAs(app, staff, page), await runAs(app, staff, total)];
    }
    for (const { name, query } of timelines()) shown[`timeline of ${name}`] = await runAs(app, staff, query);
    const grant = `{ timeline(search: "${tokens.grant_id}") { entries { title } earlier } }`;
    shown['timeline of a grant in use'] = await runAs(app, staff, grant);
    for (const period of PERIOD_NAMES) shown[`charts of a ${period}`] = await readDashboard(context, { period });
    const partner = await partnerOfKit();
    shown.outcomes = [await refusalsInLog(context), await refusalsInLog(context, { partnerId: partner })];
    shown['use of limits'] = await limitUse(context, partner);
    shown['last use'] = [...(await lastUseOf(context, [tokens.grant_id]))];
    shown.refused = await refusedAttempts(context, [tokens.grant_id], { before: app.runtime.now(), limit: 50 });
    return JSON.parse(JSON.stringify(shown));
  }

  /** The requests in a fan's copy. The copy itself is an entry of the audit log. */
  async function copiedRequests() {
    const fan = knownId('usr', app.kit.test_users[0]?.id ?? '');
    const { parts } = await copyFanData(app.context(), fan, { actor: 'system', details: { by: 'fan' } });
    return parts.requests;
  }

  async function partnerOfKit() {
    const { rows } = await app.runtime.pool.query(`select id from partner where name = 'Front Row'`);
    return idOf('ptn', rows[0]?.id);
  }

  it('every list, timeline and chart says the same before and after the log has moved to a worker', async () => {
    const copied = await copiedRequests();
    const before = await readAll();
    await citus.coordinator.run(MOVE_LOG);
    expect((await citus.placeOfLog()).worker).toBeDefined();
    await citus.coordinator.run(`select truncate_local_data_after_distributing_table('request_log')`);
    expect(await readAll()).toEqual(before);
    expect(await copiedRequests()).toEqual(copied);
    expect(copied?.length).toBeGreaterThan(3);
  });
});
